/**
 * What all wings need of PostgreSQL: sessions, transactions, failures, locks.
 *
 * <p>{@link dev.recorder.postgres.RdsManager} owns the one control session and its thread; bulk
 * work runs on a few {@link dev.recorder.postgres.DataSession}s, each with a thread of its own;
 * {@code session-end-N} ends what does not listen. The SQL of each wing, and of {@code audit},
 * {@code capture}, {@code clearing}, {@code producer} and {@code replay}, is not here but in a
 * package {@code postgres} of theirs; that of tables is in {@code schema}, that of operators'
 * questions in {@code operate}. Below are {@code sql}, the one form in which statements are
 * written, {@code settings}, what a session sets, {@code socket}, how a session's end is noticed,
 * and {@code holders}, who is in the way of a statement. Public for the library's own packages.
 */
@NullMarked
package dev.recorder.postgres;

import org.jspecify.annotations.NullMarked;
