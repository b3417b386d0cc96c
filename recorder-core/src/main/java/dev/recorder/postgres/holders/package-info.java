/**
 * Who is in the way: of a lock, of a table, of the removal of old row versions. Asked on the
 * caller's connection and thread, and said to operators in one sentence.
 *
 * <p>Here may not live: what is done about it. Nothing here ends a session or takes a lock.
 */
@NullMarked
package dev.recorder.postgres.holders;

import org.jspecify.annotations.NullMarked;
