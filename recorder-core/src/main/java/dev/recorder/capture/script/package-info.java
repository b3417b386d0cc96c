/**
 * The SQL of captures: triggers and their functions, what sets a capture up and ends it ({@link
 * dev.recorder.capture.script.CaptureScript}, {@link dev.recorder.capture.script.CaptureRemoval}),
 * and what hands over the rows that a table has ({@link
 * dev.recorder.capture.script.SnapshotStatements}).
 *
 * <p>Texts made of texts, out of what {@code capture} says is to be captured. Knows no session;
 * {@code capture.postgres} reads catalogs and runs them. Everything here is immutable.
 */
@NullMarked
package dev.recorder.capture.script;

import org.jspecify.annotations.NullMarked;
