/**
 * Locks in PostgreSQL.
 *
 * <p>{@link dev.recorder.lock.postgres.AdvisoryLocks} belong to a session and end with it. The
 * other kinds are rows of tables and survive every session. {@code tasks} has the rows that are
 * tasks, and uses the public part of {@link dev.recorder.lock.postgres.RowLocks} and related
 * classes.
 *
 * <p>{@code lock} has the common part of all kinds, such as the end of a lease; {@code schema} has
 * the tables. Statements run on the caller's thread, one at a time per session. Daemon threads
 * notice losses: {@code lock-look-N} keeps and checks a session with advisory locks, {@code
 * session-watch-N} reads from it while it is idle, and {@code lock-close-N} closes it.
 */
@NullMarked
package dev.recorder.lock.postgres;

import org.jspecify.annotations.NullMarked;
