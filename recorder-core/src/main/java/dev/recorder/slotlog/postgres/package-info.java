/**
 * The port of the slot log over PostgreSQL: rows are read from the hand-off here, and slots planned
 * and settled.
 *
 * <p>{@link dev.recorder.slotlog.postgres.JdbcLedger} runs on a data session's thread, {@link
 * dev.recorder.slotlog.postgres.PollSession} on the poller's. Decides nothing. These two let no
 * {@code SQLException} out; what {@code schema}, {@code operate}, {@code audit} and {@code
 * clearing} share with them does, on the caller's session and thread.
 */
@NullMarked
package dev.recorder.slotlog.postgres;

import org.jspecify.annotations.NullMarked;
