package dev.recorder.reader;

import dev.recorder.slotlog.LogLayout;
import dev.recorder.store.ObjectStore;
import java.time.Duration;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a {@link LogReader}, made by {@link LogReaderBuilder}.
 *
 * @param log the log's UUID; null for the one in the bucket
 * @param last the last slot to read; {@link Long#MAX_VALUE} for all existing slots
 * @param pace the intervals of following; null if the reader does not follow
 */
record ReaderSettings(
    ObjectStore bucket,
    LogLayout layout,
    @Nullable UUID log,
    ReaderPosition from,
    long last,
    @Nullable FollowPace pace,
    ReadAheadLimits ahead,
    LogBounds bounds,
    Consumer<String> onTrouble) {

  /**
   * How a reader follows a log.
   *
   * @param lookAroundEvery how often it checks more than the next slot
   * @param patience how long to retry while the store does not answer
   */
  record FollowPace(Duration pollEvery, Duration lookAroundEvery, Duration patience) {}

  /** The most slots and bytes that a reader may hold in addition to the returned slot. */
  record ReadAheadLimits(int slots, long bytes) {}
}
