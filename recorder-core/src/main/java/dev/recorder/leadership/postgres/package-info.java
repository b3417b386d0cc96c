/**
 * The port of leadership over PostgreSQL: heartbeats, the watch, terms, and when a peer's session
 * ends.
 *
 * <p>{@link dev.recorder.leadership.postgres.JdbcControlSession} runs each step on the {@code
 * RdsManager}'s thread; {@code PeerSession} runs on {@code peer-watch-1}, {@code CurrentTerm} on a
 * data session's thread. Decides nothing; {@code SQLException} does not leave the package.
 */
@NullMarked
package dev.recorder.leadership.postgres;

import org.jspecify.annotations.NullMarked;
