package dev.recorder.reader;

import dev.recorder.slotlog.LogLayout;
import dev.recorder.store.ObjectStore;
import java.time.Duration;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link LogReader} reads, and how, as {@link LogReaderBuilder} has put it together.
 *
 * @param log null for the one that the bucket names
 * @param last {@link Long#MAX_VALUE} for whatever is there
 * @param pace null if it ends at the log's end
 */
record ReaderSettings(
    ObjectStore bucket,
    LogLayout layout,
    @Nullable UUID log,
    ReaderPosition from,
    long last,
    @Nullable FollowPace pace,
    Ahead ahead,
    LogBounds bounds,
    Consumer<String> onTrouble) {

  /**
   * How it follows.
   *
   * @param lookAroundEvery how often it asks more than for the next slot
   * @param patience with a store that gives no answer
   */
  record FollowPace(Duration pollEvery, Duration lookAroundEvery, Duration patience) {}

  /** What it holds at most beyond what it has given out. */
  record Ahead(int slots, long bytes) {}
}
