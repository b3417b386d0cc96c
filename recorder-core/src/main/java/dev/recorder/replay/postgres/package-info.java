/**
 * A PostgreSQL database as the target of a replay: creates and changes tables as the log says.
 *
 * <p>{@link dev.recorder.replay.postgres.JdbcReplayTarget} is the entry point, on one session and
 * its caller's thread. {@code replay} decides where a replay may stop. Only tables that a replay
 * has made are changed. {@code SQLException} does not leave the package.
 */
@NullMarked
package dev.recorder.replay.postgres;

import org.jspecify.annotations.NullMarked;
