/**
 * The slot log: a log of immutable objects without gaps, written one slot at a time. It stays
 * correct if several hosts write at once.
 *
 * <p>{@link dev.recorder.slotlog.SlotWriter} decides; the ports {@link dev.recorder.slotlog.Ledger}
 * (database) and {@link dev.recorder.store.ObjectStore} (S3) are implemented elsewhere. Pure: no
 * JDBC, no S3 client, no thread, no clock; the simulator, the tests and production run the same
 * code.
 */
@NullMarked
package dev.recorder.slotlog;

import org.jspecify.annotations.NullMarked;
