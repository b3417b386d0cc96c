package dev.recorder.audit.objects;

import dev.recorder.handoff.RowKey;
import dev.recorder.handoff.Window;
import dev.recorder.slotlog.SlotContent.Extent;
import org.jspecify.annotations.Nullable;

/**
 * A row of {@code slots}.
 *
 * @param window null if the slot was adopted by row identity
 * @param bytes size of the uncompressed content
 */
public record SlotPlan(String sha256, @Nullable Window window, Extent extent, long bytes) {
  public RowKey first() {
    return new RowKey(extent.firstXid(), extent.firstId());
  }

  public RowKey last() {
    return new RowKey(extent.lastXid(), extent.lastId());
  }
}
