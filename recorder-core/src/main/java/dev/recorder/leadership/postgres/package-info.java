/**
 * The port of leadership over PostgreSQL: heartbeats, the watch, terms, and when a peer's session
 * ends; and what a machine says of itself, and reads of others and of pauses.
 *
 * <p>{@link dev.recorder.leadership.postgres.JdbcControlSession} runs each step on the {@code
 * RdsManager}'s thread; {@code PeerSession} runs on {@code peer-watch-1}, {@code CurrentTerm} on a
 * data session's thread. Decides nothing. What others run on a session of theirs, such as {@code
 * PausedQuery}, throws {@code SQLException}; nothing else here does.
 */
@NullMarked
package dev.recorder.leadership.postgres;

import org.jspecify.annotations.NullMarked;
