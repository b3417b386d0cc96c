package dev.recorder.operate.site;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The status of a recorder in the database.
 *
 * @param holder the active host, or null
 * @param lastSettledAt null before the first slot
 * @param backlog rows that wait to be recorded; null if it has no hand-off table, or the table is
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
   * Waiting rows.
   *
   * @param more whether more rows wait than were counted
   */
  public record Backlog(int rows, boolean more) {}
}
