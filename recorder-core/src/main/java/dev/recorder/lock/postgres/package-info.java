/**
 * Locks in PostgreSQL.
 *
 * <p>{@link dev.recorder.lock.postgres.AdvisoryLocks} are held by a session and end with it. The
 * others are rows of tables, and outlive every session.
 */
@NullMarked
package dev.recorder.lock.postgres;

import org.jspecify.annotations.NullMarked;
