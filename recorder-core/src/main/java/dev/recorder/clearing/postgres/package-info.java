/**
 * The leaves of hand-off tables over PostgreSQL: how they stand, how the next one comes into use,
 * and how one is emptied; and how the rows of {@code slots} and {@code blocks} that nothing needs
 * any more are deleted or merged.
 *
 * <p>Nothing here decides what goes or when. On the caller's session and thread.
 */
@NullMarked
package dev.recorder.clearing.postgres;

import org.jspecify.annotations.NullMarked;
