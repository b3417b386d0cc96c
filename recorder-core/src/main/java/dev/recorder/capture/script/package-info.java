/**
 * Makes the SQL of captures: triggers and their functions, the scripts that set a capture up and
 * end it ({@link dev.recorder.capture.script.CaptureScript}, {@link
 * dev.recorder.capture.script.CaptureRemoval}), and the statements of snapshots ({@link
 * dev.recorder.capture.script.SnapshotStatements}).
 *
 * <p>The input is the rules of package {@code capture}. This package has no sessions: {@code
 * capture.postgres} reads the catalogs and runs the SQL. Everything here is immutable.
 */
@NullMarked
package dev.recorder.capture.script;

import org.jspecify.annotations.NullMarked;
