package dev.recorder.simulation.servers;

import dev.recorder.handoff.Position;
import dev.recorder.handoff.RecordedLine;
import dev.recorder.handoff.Window;
import dev.recorder.slotlog.SlotContent;
import dev.recorder.slotlog.SlotContent.Extent;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A row of {@code slots}.
 *
 * @param window null if the slot is known by its rows only
 */
public record SlotRow(Key key, @Nullable Window window, Extent extent) {
  /** The primary key. */
  public record Key(int lockId, long slot, String sha256) {}

  static SlotRow of(int lockId, SlotContent content) {
    return new SlotRow(
        new Key(lockId, content.slot(), content.sha256()), content.window(), content.extent());
  }

  /** Of an object that is known by its rows. */
  static SlotRow ofLines(Key key, List<RecordedLine> lines) {
    RecordedLine first = lines.get(0);
    RecordedLine last = lines.get(lines.size() - 1);
    return new SlotRow(
        key, null, new Extent(lines.size(), first.xid(), first.id(), last.xid(), last.id()));
  }

  int rows() {
    return extent.rows();
  }

  public Position after() {
    if (window == null) {
      throw new IllegalStateException("slot " + key + " has no window");
    }
    return window.after(extent.lastXid(), extent.lastId());
  }
}
