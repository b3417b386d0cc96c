/**
 * The port of the slot log over PostgreSQL: rows are read from the hand-off here, and slots planned
 * and settled.
 *
 * <p>{@link dev.recorder.slotlog.postgres.JdbcLedger} runs on a data session's thread, {@link
 * dev.recorder.slotlog.postgres.LookoutSession} on the lookout's. Decides nothing; {@code
 * SQLException} does not leave the package.
 */
@NullMarked
package dev.recorder.slotlog.postgres;

import org.jspecify.annotations.NullMarked;
