/**
 * Which database a recorder belongs to: its row says so, and each host compares the database that
 * its own file leads to. Asked on the caller's connection and thread.
 *
 * <p>Here may not live: what becomes of a recorder whose database is another.
 */
@NullMarked
package dev.recorder.postgres.pin;

import org.jspecify.annotations.NullMarked;
