/**
 * A PostgreSQL database as the target of a replay: tables are made and changed as the log says.
 *
 * <p>{@link dev.recorder.replay.postgres.JdbcReplayTarget} is what others use, on one session and
 * one thread, its caller's. Here may not live: where a replay may stop, which {@code replay}
 * decides. Nothing is touched that no replay has made; {@code SQLException} does not leave the
 * package.
 */
@NullMarked
package dev.recorder.replay.postgres;

import org.jspecify.annotations.NullMarked;
