/**
 * Locks in PostgreSQL.
 *
 * <p>{@link dev.recorder.lock.postgres.AdvisoryLocks} are held by a session and end with it. The
 * others are rows of tables, and outlive every session; {@code tasks} has those that are tasks, and
 * uses what is public of {@link dev.recorder.lock.postgres.RowLocks} and its like.
 *
 * <p>Here may not live: what is the same of all kinds, such as how a lease ends; the tables
 * themselves, which are {@code schema}'s. Statements run on the caller's thread, one at a time on a
 * session. Daemon threads see losses: {@code lock-look-N} keeps and reads a session with advisory
 * locks, {@code session-watch-N} reads it while it is idle, and {@code lock-close-N} cuts one off.
 */
@NullMarked
package dev.recorder.lock.postgres;

import org.jspecify.annotations.NullMarked;
