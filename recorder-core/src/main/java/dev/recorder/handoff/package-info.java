/**
 * The hand-off table as the recorder sees it: rows, snapshots, windows between snapshots, and the
 * line a row becomes in an object.
 *
 * <p>Pure: no JDBC, no S3, no thread, no clock. SQL that reads the table lives in {@code
 * slotlog.postgres}, {@code audit.postgres} and {@code operate}.
 */
@NullMarked
package dev.recorder.handoff;

import org.jspecify.annotations.NullMarked;
