/**
 * What a database says of captures and of what they name: tables, columns and triggers in its
 * catalog, the entries of captures, expressions of users, and what captures miss.
 *
 * <p>Reads alone; {@code SQLException} leaves the package, for those above it: {@code
 * capture.postgres} and {@code capture.postgres.snapshot}. Everything runs on the caller's thread
 * and session.
 */
@NullMarked
package dev.recorder.capture.postgres.catalog;

import org.jspecify.annotations.NullMarked;
