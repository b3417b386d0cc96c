/**
 * Deletes recorded rows from hand-off tables, once they are proved to be in the log. {@link
 * dev.recorder.clearing.ClearingPlan}, which is pure, decides which part of a table is due. {@link
 * dev.recorder.clearing.LogClearing} runs one turn, which also deletes rows of {@code slots} that
 * are not needed any more.
 *
 * <p>It uses {@code audit}, since a proof reads like an audit. This package has no SQL, no thread,
 * and no clock except the one handed in. The caller says before each step whether the host is still
 * active. The turns of a log come one at a time, on the caller's thread; in a host, this is the
 * thread of the session for clearing.
 */
@NullMarked
package dev.recorder.clearing;

import org.jspecify.annotations.NullMarked;
