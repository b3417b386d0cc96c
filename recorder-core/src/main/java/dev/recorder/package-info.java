/**
 * A highly available recorder from PostgreSQL to S3.
 *
 * <p>Four wings: {@code leadership}, {@code slotlog}, {@code requests}, {@code lock}. None knows
 * another. The decisions of each are pure; its SQL, in a package called {@code postgres} within it,
 * knows them and is not known by them, and rests on what all share: {@code postgres} (sessions,
 * transactions), {@code schema} (tables, rights), {@code s3}. {@code machine} joins the wings and
 * owns the threads; {@code audit}, {@code clearing} and {@code operate} look at the wings; {@code
 * reader} and {@code replay} read what the slot log has written; {@code producer} and {@code
 * capture} are for those who write rows; {@code time} is the only package that reads a clock. No
 * class lives here.
 */
@NullMarked
package dev.recorder;

import org.jspecify.annotations.NullMarked;
