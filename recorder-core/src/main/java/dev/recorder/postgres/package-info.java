/**
 * Everything that speaks SQL: sessions, locks, schema, and the ports of leadership and the slot log
 * over PostgreSQL.
 *
 * <p>{@link dev.recorder.postgres.RdsManager} owns the one control session and its thread; bulk
 * reads, plans and settles run on a few {@link dev.recorder.postgres.DataSession}s, each with a
 * thread of its own. Nothing here decides; {@code SQLException} does not leave the package.
 */
@NullMarked
package dev.recorder.postgres;

import org.jspecify.annotations.NullMarked;
