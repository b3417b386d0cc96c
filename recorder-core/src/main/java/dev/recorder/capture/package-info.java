/**
 * Capture: triggers that write each change of a table into the hand-off table of a log, in the
 * transaction that makes the change.
 *
 * <p>What is to be captured ({@link dev.recorder.capture.CaptureRule}) and how ({@link
 * dev.recorder.capture.CaptureOptions}), what tables and columns are called, and whether a text of
 * a user's may be an expression. Has no SQL: {@code capture.script} makes it, {@code
 * capture.postgres} runs it. Everything here is immutable.
 */
@NullMarked
package dev.recorder.capture;

import org.jspecify.annotations.NullMarked;
