package dev.recorder.audit;

import dev.recorder.handoff.LineFields;
import dev.recorder.slotlog.LogLayout;
import dev.recorder.slotlog.SlotReader;
import dev.recorder.slotlog.SlotReader.Content;
import dev.recorder.slotlog.SlotReader.UnreadableSlotException;
import dev.recorder.store.ObjectStore;
import java.util.Optional;

/** Reads one slot after the other, and holds the content of one at a time. */
final class SlotObjects {
  private final SlotReader reader;
  private final LogLayout layout;
  private final LineFields fields = new LineFields();
  private final RowPrints prints = new RowPrints();

  SlotObjects(ObjectStore bucket, LogLayout layout) {
    this.reader = new SlotReader(bucket, layout);
    this.layout = layout;
  }

  LogLayout layout() {
    return layout;
  }

  /** What is under the slot's key is no slot. */
  static final class DamagedException extends Exception {
    private static final long serialVersionUID = 1L;

    DamagedException(String message) {
      super(message, null, false, false);
    }
  }

  /**
   * The object of {@code slot}; empty if there is none.
   *
   * @throws UnreadableSlotException if the store gives no answer
   */
  Optional<SlotObject> read(long slot) throws UnreadableSlotException, DamagedException {
    Optional<Content> read;
    try {
      read = reader.readContent(slot);
    } catch (UnreadableSlotException e) {
      if (e.isUnreachable()) {
        throw e;
      }
      throw new DamagedException(String.valueOf(e.getMessage()));
    }
    if (read.isEmpty()) {
      return Optional.empty();
    }
    Content content = read.get();
    try {
      return Optional.of(
          new SlotObject(
              content.metadata(),
              content.sha256(),
              content.lines().length,
              SlotLines.of(content, fields, prints)));
    } catch (IllegalArgumentException e) {
      throw new DamagedException(
          "object %s is damaged or was not written by a recorder: %s"
              .formatted(layout.slotKey(slot), e.getMessage()));
    }
  }
}
