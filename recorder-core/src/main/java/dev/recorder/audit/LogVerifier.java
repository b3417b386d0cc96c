package dev.recorder.audit;

import dev.recorder.audit.LogRecords.Settled;
import dev.recorder.handoff.RecordedLine;
import dev.recorder.slotlog.LogLayout;
import dev.recorder.slotlog.ObjectMetadata;
import dev.recorder.slotlog.SlotReader;
import dev.recorder.slotlog.SlotReader.Slot;
import dev.recorder.slotlog.SlotReader.UnreadableSlotException;
import dev.recorder.store.ObjectStore;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Proves one log: its objects are there, are what was written, follow one another without a gap,
 * and hold each row of the hand-off once and in order, as far as those rows are still kept.
 *
 * <p>It first asks how far the log is settled and then looks at nothing beyond, so it may run while
 * a recorder writes. It holds one slot in memory at a time, a bit per id, and a bounded number of
 * suspects.
 */
public final class LogVerifier {
  private final ObjectStore bucket;
  private final LogLayout layout;
  private final LogRecords records;

  public LogVerifier(ObjectStore bucket, LogLayout layout, LogRecords records) {
    this.bucket = bucket;
    this.layout = layout;
    this.records = records;
  }

  /**
   * Verifies from slot {@code from}, or the log's first slot if that is higher, to the last settled
   * one.
   *
   * @throws UnreadableSlotException if the store gives no answer: then nothing is proved either way
   */
  public Verdict verify(long from) throws UnreadableSlotException {
    return new Run(records.settled(), from).verify();
  }

  /** One verification. */
  private final class Run {
    private final SlotReader reader = new SlotReader(bucket, layout);
    private final Tally tally = new Tally();
    private final Suspects suspects;
    private final long first;
    private final long last;
    private final long rebased;
    private final Chain chain;
    private final Integrity integrity;

    Run(Settled settled, long from) {
      this.first = Math.max(from, settled.head().firstSlot());
      this.last = settled.head().lastSlot();
      this.rebased = settled.rebasedSlot();
      this.suspects = new Suspects(tally, rebased == 0 ? LineHash::of : LineHash::ofAllButXid);
      this.chain = new Chain(records, settled, tally, suspects);
      this.integrity = new Integrity(layout, settled.log());
    }

    Verdict verify() throws UnreadableSlotException {
      chain.beginAt(first);
      for (long slot = first; slot <= last; slot++) {
        if (slot == rebased + 1) {
          chain.beginAt(slot);
        }
        examine(slot);
      }
      chain.finish();
      if (suspects.needSecondLook()) {
        lookAgain();
      }
      noteWhatIsInFlight();
      noteWhatIsRebased();
      return tally.verdict(layout.recorder().value());
    }

    private void examine(long slot) throws UnreadableSlotException {
      List<SlotPlan> plans = records.plans(slot);
      Optional<Slot> object;
      try {
        object = reader.read(slot);
      } catch (UnreadableSlotException e) {
        if (e.isUnreachable()) {
          throw e;
        }
        tally.hashMismatch("slot " + slot + ": " + e.getMessage());
        followAbsent(slot, plans);
        return;
      }
      if (object.isPresent()) {
        examine(slot, object.get(), plans);
      } else if (records.settled().head().firstSlot() > slot) {
        chain.beginAt(slot + 1); // Expired a moment ago, by its owner.
      } else {
        tally.gap("slot " + slot + " is missing: there is no object " + layout.slotKey(slot));
        followAbsent(slot, plans);
      }
    }

    private void examine(long slot, Slot object, List<SlotPlan> plans) {
      tally.slots++;
      tally.rows += object.lines().size();
      String fault = integrity.fault(slot, object, plans);
      if (fault != null) {
        tally.hashMismatch("slot " + slot + ": object " + layout.slotKey(slot) + " " + fault);
      }
      checkOrder(slot, object.lines());
      object.lines().forEach(line -> suspects.met(slot, line));
      SlotPlan plan = planOf(slot, object, plans);
      if (plan == null) {
        chain.followUnplanned(slot, object.lines());
      } else {
        chain.follow(slot, plan, object.lines());
      }
    }

    private void followAbsent(long slot, List<SlotPlan> plans) {
      SlotPlan plan = chain.choose(slot, plans);
      if (plan == null) {
        chain.followUnplanned(slot, List.of());
      } else {
        chain.followAbsent(slot, plan);
      }
    }

    /** The content's own row in {@code slots}; of a changed object, the one it most likely had. */
    private @Nullable SlotPlan planOf(long slot, Slot object, List<SlotPlan> plans) {
      SlotPlan plan = Integrity.withHash(object.sha256(), plans);
      if (plan == null && object.metadata().isPresent()) {
        plan = Integrity.withHash(object.metadata().get().sha256(), plans);
      }
      return plan == null ? chain.choose(slot, plans) : plan;
    }

    private void checkOrder(long slot, List<RecordedLine> lines) {
      RowKey greatest = null;
      for (RecordedLine line : lines) {
        RowKey key = RowKey.of(line);
        if (greatest == null || key.compareTo(greatest) >= 0) {
          greatest = key;
        } else {
          tally.outOfOrder("slot " + slot + ": " + key + " stands behind " + greatest);
        }
      }
    }

    private void lookAgain() throws UnreadableSlotException {
      for (long slot = first; slot <= last; slot++) {
        Optional<Slot> object = readAgain(slot);
        if (object.isPresent()) {
          long number = slot;
          object.get().lines().forEach(line -> suspects.lookAgain(number, line));
        }
      }
      suspects.judge();
    }

    private Optional<Slot> readAgain(long slot) throws UnreadableSlotException {
      try {
        return reader.read(slot);
      } catch (UnreadableSlotException e) {
        if (e.isUnreachable()) {
          throw e;
        }
        return Optional.empty(); // Reported at the first look.
      }
    }

    private void noteWhatIsRebased() {
      if (first <= rebased) {
        tally.note(
            "slots up to "
                + rebased
                + " were numbered by another server, before the rebase: each is there, unchanged,"
                + " and no row stands in two, but they were not compared with the hand-off");
      }
    }

    private void noteWhatIsInFlight() {
      ObjectStore.HeadAnswer next = bucket.head(layout.slotKey(last + 1));
      if (next instanceof ObjectStore.Present present) {
        String writer =
            ObjectMetadata.from(present.metadata())
                .map(ObjectMetadata::writer)
                .orElse("somebody unknown");
        tally.note("slot " + (last + 1) + " by " + writer + " was in flight, not settled yet");
      }
    }
  }
}
