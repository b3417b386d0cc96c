/**
 * The slot log's port over PostgreSQL: reads rows from the hand-off table, and plans and settles
 * slots.
 *
 * <p>{@link dev.recorder.slotlog.postgres.JdbcLedger} runs on a data session's thread, {@link
 * dev.recorder.slotlog.postgres.PollSession} on the poller's. The package decides nothing. These
 * two classes throw no {@code SQLException}. The classes that {@code schema}, {@code operate},
 * {@code audit} and {@code clearing} share with them do, on the caller's session and thread.
 */
@NullMarked
package dev.recorder.slotlog.postgres;

import org.jspecify.annotations.NullMarked;
