/**
 * What all wings need of PostgreSQL: sessions, transactions, failures, locks.
 *
 * <p>{@link dev.recorder.postgres.RdsManager} owns the one control session and its thread. Bulk
 * work runs on a few {@link dev.recorder.postgres.DataSession}s, each with a thread of its own.
 * {@code session-end-N} ends connections that do not answer. The SQL of each wing, and of {@code
 * audit}, {@code capture}, {@code clearing}, {@code producer} and {@code replay}, is in a package
 * {@code postgres} of theirs; that of tables in {@code schema}; that of operators' queries in
 * {@code operate}. Below are {@code sql}, the form in which statements are written; {@code
 * settings}, what a session sets; {@code socket}, how the end of a session is noticed; and {@code
 * holders}, what blocks a statement. Public for the library's own packages.
 */
@NullMarked
package dev.recorder.postgres;

import org.jspecify.annotations.NullMarked;
