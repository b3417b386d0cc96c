/**
 * The port of leadership over PostgreSQL: locks, heartbeats, the watch, terms.
 *
 * <p>{@link dev.recorder.leadership.postgres.JdbcControlSession} runs each step on the {@code
 * RdsManager}'s thread. Decides nothing; {@code SQLException} does not leave the package.
 */
@NullMarked
package dev.recorder.leadership.postgres;

import org.jspecify.annotations.NullMarked;
