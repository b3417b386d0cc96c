/**
 * Takes recorded rows out of hand-off tables, once it is proved that the log has them: which part
 * of a table is due ({@link dev.recorder.clearing.ClearingPlan}, pure), one turn of it ({@link
 * dev.recorder.clearing.LogClearing}), which then deletes the rows of {@code slots} that no longer
 * cover anything.
 *
 * <p>Knows {@code audit}: it proves by reading as an audit does. Here may not live: SQL, a thread,
 * a clock but the one that is handed in; who is active, which the caller says before each step. One
 * log's turns come one at a time, on the caller's thread: in a machine that of the session for
 * clearing.
 */
@NullMarked
package dev.recorder.clearing;

import org.jspecify.annotations.NullMarked;
