/**
 * Capture: triggers that write each change of a table into the hand-off table of a log, or ask for
 * documents in the table of a recorder of requests, in the transaction that makes the change.
 *
 * <p>Here are what to capture ({@link dev.recorder.capture.CaptureRule}) and how ({@link
 * dev.recorder.capture.CaptureOptions}), what tables and columns are called, and whether a text of
 * a user's may be an expression. Here may not live: SQL, which {@code capture.script} makes and
 * {@code capture.postgres} runs; a session or a clock. Everything is immutable, for any thread.
 */
@NullMarked
package dev.recorder.capture;

import org.jspecify.annotations.NullMarked;
