/**
 * Tasks in PostgreSQL: rows of {@code lock_task} that one process at a time works on, as a queue
 * ({@link dev.recorder.lock.postgres.tasks.TaskQueue}) or as locks ({@link
 * dev.recorder.lock.postgres.tasks.TaskLocks}).
 *
 * <p>{@code lock.postgres} has the common part of row locks. Statements run on the caller's thread.
 * The daemon threads {@code task-look-1} and {@code task-deadlines-1} watch the open leases of a
 * {@link dev.recorder.lock.postgres.tasks.TaskLocks}; {@code task-timeouts-N} runs a {@link
 * dev.recorder.lock.postgres.tasks.TaskTimeouts}.
 */
@NullMarked
package dev.recorder.lock.postgres.tasks;

import org.jspecify.annotations.NullMarked;
