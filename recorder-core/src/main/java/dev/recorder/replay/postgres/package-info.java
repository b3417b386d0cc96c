/**
 * A PostgreSQL database as the target of a replay: tables are made and changed as the log says, and
 * nothing is touched that no replay has made.
 *
 * <p>{@link dev.recorder.replay.postgres.JdbcReplayTarget} is what others use, on one thread.
 * {@code SQLException} does not leave the package.
 */
@NullMarked
package dev.recorder.replay.postgres;

import org.jspecify.annotations.NullMarked;
