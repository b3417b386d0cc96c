/**
 * Locks in PostgreSQL.
 *
 * <p>{@link dev.recorder.lock.postgres.AdvisoryLocks} belong to a session and end with it. The
 * others are rows of tables and survive every session. {@code tasks} has the rows that are tasks,
 * and uses the public part of {@link dev.recorder.lock.postgres.RowLocks} and its neighbours.
 *
 * <p>What is the same for all kinds, such as how a lease ends, lives in {@code lock}; the tables
 * live in {@code schema}. Statements run on the caller's thread, one at a time per session. Daemon
 * threads see losses: {@code lock-look-N} keeps and checks a session with advisory locks, {@code
 * session-watch-N} reads it while idle, and {@code lock-close-N} closes it.
 */
@NullMarked
package dev.recorder.lock.postgres;

import org.jspecify.annotations.NullMarked;
