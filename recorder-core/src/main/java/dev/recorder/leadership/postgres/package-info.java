/**
 * Leadership's port over PostgreSQL: heartbeats, the watch, terms and the end of a peer's session.
 * It also has a host's registration and conditions, and the queries for peers and pauses.
 *
 * <p>{@link dev.recorder.leadership.postgres.JdbcControlSession} runs each step on the {@code
 * RdsManager}'s thread; {@code PeerSession} runs on {@code peer-watch-1}, {@code CurrentTerm} on a
 * data session's thread. The package decides nothing. Only classes that run on a caller's session,
 * such as {@code PausedQuery}, throw {@code SQLException}.
 */
@NullMarked
package dev.recorder.leadership.postgres;

import org.jspecify.annotations.NullMarked;
