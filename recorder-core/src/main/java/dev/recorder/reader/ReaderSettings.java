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
 * @param log null for the one that the bucket names
 * @param last {@link Long#MAX_VALUE} for all existing slots
 * @param pace null if the reader does not follow
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
   * @param patience with a store that does not answer
   */
  record FollowPace(Duration pollEvery, Duration lookAroundEvery, Duration patience) {}

  /** What a reader may hold in addition to the returned slot. */
  record ReadAheadLimits(int slots, long bytes) {}
}
