package dev.recorder.audit;

import dev.recorder.audit.objects.SlotObject;
import dev.recorder.logging.Counted;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Proves that objects are those that were settled where the database has one hash for many of them:
 * folds their hashes again, from one note to the next. A slot whose object is missing costs the
 * proof of those beside it, up to the notes before and behind.
 *
 * <p>Slots that still have their rows are folded along: these may go while it runs.
 */
final class FoldProof {
  private final LogRecords records;
  private final Tally tally;
  private Folds folds;
  private final Map<Long, SlotChain> notes = new HashMap<>();

  /** The note that was passed last, or the log's beginning; null if neither was. */
  private @Nullable SlotChain base;

  /** All objects since; null if one of them is unknown. */
  private @Nullable SlotChain chain;

  /** Lines of the objects since. */
  private long rows;

  /** A proof that begins with slot {@code first}. */
  FoldProof(LogRecords records, Tally tally, long first) {
    this.records = records;
    this.tally = tally;
    this.folds = records.folds();
    folds.notes().forEach(note -> notes.put(note.lastSlot(), note));
    this.base = first == 1 ? SlotChain.START : notes.get(first - 1);
    this.chain = base;
    if (base == null && first <= folds.upTo()) {
      noteBeginning(first);
    }
  }

  private void noteBeginning(long first) {
    long from = 1;
    for (SlotChain note : folds.notes()) {
      if (note.lastSlot() >= first) {
        tally.note(
            """
            slots %d to %d are folded with those from slot %d on, and were compared with their \
            own metadata alone; --from %d proves them too, if those objects are there\
            """
                .formatted(first, note.lastSlot(), from, from));
        return;
      }
      from = note.lastSlot() + 1;
    }
  }

  /** What is noted, as far as it was asked. */
  Folds folds() {
    return folds;
  }

  /** Whether a slot's rows are gone, by the notes. */
  boolean has(long slot) {
    return slot <= folds.upTo();
  }

  /** Whether they have gone since the notes were read. */
  boolean hasNow(long slot) {
    folds = records.folds();
    folds.notes().forEach(note -> notes.put(note.lastSlot(), note));
    return has(slot);
  }

  /** The next slot's object. */
  void object(long slot, SlotObject object) {
    rows += object.lines().size();
    if (chain != null) {
      chain = chain.then(object.sha256(), object.lines().size(), object.bytes());
    }
    pass(slot);
  }

  /** The next slot has no object, or one that cannot be read. */
  void absent(long slot) {
    chain = null;
    if (!has(slot)) {
      base = null; // Its own row in slots says which rows it has.
    }
    pass(slot);
  }

  /** The next slot has expired meanwhile. */
  void expired(long slot) {
    chain = null;
    base = null;
    pass(slot);
  }

  private void pass(long slot) {
    SlotChain note = notes.get(slot);
    if (note != null) {
      judge(note);
      base = note;
      chain = note;
      rows = 0;
    }
  }

  private void judge(SlotChain note) {
    if (base == null) {
      return;
    }
    String slots = "slots %d to %d ".formatted(base.lastSlot() + 1, note.lastSlot());
    long missing = note.rows() - base.rows() - rows;
    if (chain == null && missing > 0) {
      tally.lost(
          missing,
          slots
              + "lack "
              + Counted.of(missing, "row that was", "rows that were")
              + " settled in them");
    } else if (chain != null && !chain.hash().equals(note.hash())) {
      tally.hashMismatch(
          slots + "are not what was settled: each is whole, and together they have another hash");
    }
  }
}
