/**
 * Capture: triggers that write each change of a table into the hand-off table of a log, or ask for
 * documents in the table of a recorder of requests, in the transaction that makes the change.
 *
 * <p>Here are what is to be captured ({@link dev.recorder.capture.CaptureRule}, {@link
 * dev.recorder.capture.EntitySource}) and the SQL that does it ({@link
 * dev.recorder.capture.CaptureScript}, {@link dev.recorder.capture.RequestScript}): texts made of
 * texts. Here may not live: a session or a clock; {@code capture.postgres} reads catalogs and runs
 * the SQL. Everything is immutable, for any thread.
 */
@NullMarked
package dev.recorder.capture;

import org.jspecify.annotations.NullMarked;
