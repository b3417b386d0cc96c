/**
 * Capture: triggers that write each change of a table into the hand-off table of a log, in the
 * transaction that makes the change.
 *
 * <p>What is to be captured ({@link dev.recorder.capture.CaptureRule}), and the SQL that does it
 * ({@link dev.recorder.capture.CaptureScript}): texts made of texts. Knows no session; {@code
 * capture.postgres} reads catalogs and runs the SQL. Everything here is immutable.
 */
@NullMarked
package dev.recorder.capture;

import org.jspecify.annotations.NullMarked;
