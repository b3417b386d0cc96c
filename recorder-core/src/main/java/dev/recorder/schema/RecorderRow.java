package dev.recorder.schema;

import dev.recorder.slotlog.LogHead;
import java.util.UUID;

/** A recorder's row in {@code lock_recorders}: the columns about its log. */
public record RecorderRow(
    int lockId, String kind, UUID log, boolean logCreated, LogHead head, PinnedLayout layout) {
  /** Whether the place is decided, since a host has claimed it in the store. */
  public boolean isPlaced() {
    return logCreated || head.lastSlot() > 0;
  }
}
