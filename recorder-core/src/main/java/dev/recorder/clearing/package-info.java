/**
 * Takes recorded rows out of hand-off tables, once it is proved that the log has them: which part
 * of a table is due ({@link dev.recorder.clearing.ClearingPlan}, pure), and one turn of it ({@link
 * dev.recorder.clearing.LogClearing}). Knows {@code audit}, whose way of reading it proves by, and
 * nothing of who is active; one thread at a time.
 */
@NullMarked
package dev.recorder.clearing;

import org.jspecify.annotations.NullMarked;
