/**
 * The leaves of hand-off tables in PostgreSQL: their state, the change to the next leaf, and the
 * emptying of a leaf. Also deletes rows of {@code slots}, and merges rows of {@code blocks}, that
 * are not needed any more.
 *
 * <p>This package does not decide which rows are deleted, nor when. All runs on the caller's
 * session and thread.
 */
@NullMarked
package dev.recorder.clearing.postgres;

import org.jspecify.annotations.NullMarked;
