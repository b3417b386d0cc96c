package dev.recorder.audit;

import dev.recorder.audit.objects.SlotSize;
import dev.recorder.handoff.Position;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the database notes of slots whose rows in {@code slots} are gone: of all of them from the
 * first one on, up to this slot or that one.
 *
 * @param notes the shortest first
 * @param position behind the last one's slots; null if windows do not tell
 */
public record Folds(List<SlotChain> notes, @Nullable Position position) {
  /** Each slot has its rows. */
  public static final Folds NONE = new Folds(List.of(), null);

  public Folds {
    notes = List.copyOf(notes);
  }

  /** How large the object of a folded slot may be, by its neighbours. */
  SlotSize sizeOf(long slot) {
    SlotChain before = SlotChain.START;
    for (SlotChain note : notes) {
      if (note.lastSlot() >= slot) {
        return SlotSize.among(
            note.lastSlot() - before.lastSlot(),
            note.bytes() - before.bytes(),
            note.rows() - before.rows());
      }
      before = note;
    }
    return SlotSize.of(List.of());
  }

  /** The last slot whose rows are gone; 0 if none has lost them. */
  public long upTo() {
    return notes.isEmpty() ? 0 : notes.get(notes.size() - 1).lastSlot();
  }
}
