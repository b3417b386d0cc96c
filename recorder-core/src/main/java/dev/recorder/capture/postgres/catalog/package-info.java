/**
 * Reads captures and the objects that they refer to from the database: tables, columns and triggers
 * in the catalog, the table of captures, users' expressions, and changes that captures miss.
 *
 * <p>Changes nothing except the notes of {@link
 * dev.recorder.capture.postgres.catalog.CaptureCheck}. {@code SQLException} leaves the package, to
 * {@code capture.postgres} and {@code capture.postgres.snapshot}. Everything runs on the caller's
 * thread and session.
 */
@NullMarked
package dev.recorder.capture.postgres.catalog;

import org.jspecify.annotations.NullMarked;
