package dev.recorder.clearing;

import dev.recorder.audit.SlotChain;
import dev.recorder.clearing.SettledSlots.Fold;
import dev.recorder.clearing.SettledSlots.SlotRow;
import dev.recorder.clearing.SettledSlots.SlotsStanding;
import dev.recorder.handoff.Position;
import dev.recorder.slotlog.LogLayout;
import dev.recorder.slotlog.ObjectMetadata;
import dev.recorder.store.ObjectStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Folds slots whose rows have all been cleared away: a note with one hash in the place of a row of
 * {@code slots} for each. At most {@value #SLOTS_AT_ONCE} in one transaction, and {@value
 * #FOLDS_A_TURN} times that in a turn. For one thread.
 *
 * <p>The hash is one of all slots from the first one on, so it is the same whoever folds, when, and
 * in how many steps: also in a database that was restored to an earlier moment.
 */
final class SlotFolding {
  static final int SLOTS_AT_ONCE = 1_000;
  static final int FOLDS_A_TURN = 20;

  private final ObjectStore bucket;
  private final LogLayout layout;
  private final BooleanSupplier goesOn;

  SlotFolding(ObjectStore bucket, LogLayout layout, BooleanSupplier goesOn) {
    this.bucket = bucket;
    this.layout = layout;
    this.goesOn = goesOn;
  }

  /**
   * One turn, up to a slot at most.
   *
   * @return why it came to a stop before, in one sentence without its end; empty if it did not
   */
  String turn(SettledSlots slots, SlotsStanding standing, long upTo) {
    FoldedStretch stretch = new FoldedStretch(standing);
    if (stretch.last() >= upTo) {
      return "";
    }
    List<Long> notes = new ArrayList<>(slots.notes());
    for (int i = 0; i < FOLDS_A_TURN && stretch.last() < upTo && goesOn.getAsBoolean(); i++) {
      long after = stretch.last();
      int used = stretch.add(slots.rows(after, Math.min(upTo, after + SLOTS_AT_ONCE)));
      if (used == 0) {
        return stretch.trouble;
      }
      notes.add(stretch.last());
      List<Long> superfluous = FoldNotes.superfluous(notes);
      notes.removeAll(superfluous);
      if (!slots.fold(new Fold(after, stretch.chain, stretch.position, used, superfluous))) {
        return ""; // The term is over, or somebody else has done it.
      }
    }
    return "";
  }

  /** Slots one after the other, as far as it can be told what was settled. */
  private final class FoldedStretch {
    private final SlotsStanding standing;
    private SlotChain chain;
    private @Nullable Position position;
    private String trouble = "";

    FoldedStretch(SlotsStanding standing) {
      this.standing = standing;
      this.chain = standing.chain();
      this.position = standing.position();
    }

    long last() {
      return chain.lastSlot();
    }

    /** Goes on with these rows; how many of them tell of the slots that it has got over. */
    int add(List<SlotRow> rows) {
      Map<Long, List<SlotRow>> bySlot = rows.stream().collect(Collectors.groupingBy(SlotRow::slot));
      int used = 0;
      SlotRow settled = settled(bySlot);
      while (settled != null) {
        used += bySlot.getOrDefault(settled.slot(), List.of()).size();
        add(settled);
        settled = settled(bySlot);
      }
      return used;
    }

    private void add(SlotRow settled) {
      chain = chain.then(settled.sha256(), settled.rows(), settled.bytes());
      if (last() <= standing.rebasedSlot()) {
        position = null;
      } else if (settled.after() != null) {
        position = settled.after();
      } else if (last() == standing.rebasedSlot() + 1) {
        position = Position.START;
      }
    }

    /** The next slot's row that was settled; null, and there is trouble, if there is none. */
    private @Nullable SlotRow settled(Map<Long, List<SlotRow>> bySlot) {
      long slot = last() + 1;
      List<SlotRow> planned = bySlot.getOrDefault(slot, List.of());
      if (planned.isEmpty()) {
        trouble = "slot %d has no row in slots: run 'recorder verify %s'".formatted(slot, name());
        return null;
      }
      return planned.size() == 1 ? planned.get(0) : written(slot, planned);
    }

    /** Of several that were planned, the one that the object has. */
    private @Nullable SlotRow written(long slot, List<SlotRow> planned) {
      ObjectStore.HeadAnswer answer = bucket.head(layout.slotKey(slot));
      if (answer instanceof ObjectStore.Unclear unclear) {
        trouble = unclear.reason();
        return null;
      } else if (answer instanceof ObjectStore.Present present) {
        String hash =
            ObjectMetadata.from(present.metadata()).map(ObjectMetadata::sha256).orElse("");
        for (SlotRow row : planned) {
          if (row.sha256().equals(hash)) {
            return row;
          }
        }
      } else if (slot < standing.firstSlot()) {
        return planned.get(0); // It has expired, and nobody asks again which it was.
      }
      trouble =
          "slot %d: object %s is none of those that were planned: run 'recorder verify %s'"
              .formatted(slot, layout.slotKey(slot), name());
      return null;
    }

    private String name() {
      return layout.recorder().value();
    }
  }
}
