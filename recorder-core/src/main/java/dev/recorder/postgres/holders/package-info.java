/**
 * Finds the sessions that block a lock, a table, or the removal of old row versions. Queries run on
 * the caller's connection and thread, and the result is one sentence for operators.
 *
 * <p>Nothing here ends a session or takes a lock.
 */
@NullMarked
package dev.recorder.postgres.holders;

import org.jspecify.annotations.NullMarked;
