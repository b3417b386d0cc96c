package dev.recorder.simulation;

import dev.recorder.handoff.Position;
import dev.recorder.handoff.Window;
import dev.recorder.slotlog.SlotContent;
import org.jspecify.annotations.Nullable;

/**
 * A row of {@code slots}.
 *
 * @param window null if the slot is known by its rows only
 */
record SlotRow(Key key, @Nullable Window window, int rows, long lastXid, long lastId) {
  /** The primary key. */
  record Key(int lockId, long slot, String sha256) {}

  static SlotRow of(int lockId, SlotContent content) {
    return new SlotRow(
        new Key(lockId, content.slot(), content.sha256()),
        content.window(),
        content.extent().rows(),
        content.extent().lastXid(),
        content.extent().lastId());
  }

  Position after() {
    if (window == null) {
      throw new IllegalStateException("slot " + key + " has no window");
    }
    return window.after(lastXid, lastId);
  }
}
