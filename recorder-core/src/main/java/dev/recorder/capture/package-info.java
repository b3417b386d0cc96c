/**
 * Capture: triggers that, in the transaction of a change, write the change into the hand-off table
 * of a log, or insert requests for documents into the table of a recorder of requests.
 *
 * <p>This package defines what is captured ({@link dev.recorder.capture.CaptureRule}) and how
 * ({@link dev.recorder.capture.CaptureOptions}), the names of tables and columns, and the check of
 * users' expressions. It contains no SQL statements, sessions or clocks: {@code capture.script}
 * makes the SQL and {@code capture.postgres} runs it. Everything is immutable, for any thread.
 */
@NullMarked
package dev.recorder.capture;

import org.jspecify.annotations.NullMarked;
