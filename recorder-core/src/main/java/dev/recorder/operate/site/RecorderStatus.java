package dev.recorder.operate.site;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A recorder as the database knows it.
 *
 * @param holder the active machine, or null
 * @param lastSettledAt null before the first slot
 * @param backlog rows that wait to be recorded, or null if it has no hand-off table, or one that is
 *     locked
 */
public record RecorderStatus(
    String name,
    int lockId,
    String kind,
    @Nullable String holder,
    long epoch,
    long firstSlot,
    long lastSlot,
    @Nullable Instant lastSettledAt,
    @Nullable Backlog backlog) {

  /**
   * Rows that wait.
   *
   * @param more whether there are more than were counted
   */
  public record Backlog(int rows, boolean more) {}
}
