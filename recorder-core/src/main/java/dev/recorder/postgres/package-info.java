/**
 * PostgreSQL for all wings: sessions, transactions, failures, locks.
 *
 * <p>{@link dev.recorder.postgres.RdsManager} owns the one control session and its thread. Bulk
 * work runs on a few {@link dev.recorder.postgres.DataSession}s, each with a thread of its own.
 * {@code session-end-N} ends connections that do not answer. Each wing, and {@code audit}, {@code
 * capture}, {@code clearing}, {@code producer} and {@code replay}, has its SQL in a package {@code
 * postgres} of its own. The SQL of tables is in {@code schema}, and that of operators' queries in
 * {@code operate}. The packages below: {@code sql} has the form of statements; {@code settings} the
 * settings of sessions; {@code socket} notices the end of a session; {@code holders} finds the
 * sessions that block a statement; {@code pin} has the database of a recorder. Public for the
 * library's own packages.
 */
@NullMarked
package dev.recorder.postgres;

import org.jspecify.annotations.NullMarked;
