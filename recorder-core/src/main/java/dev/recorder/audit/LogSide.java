package dev.recorder.audit;

import dev.recorder.audit.LogRecords.SettledLog;
import dev.recorder.audit.ProvedSlots.SlotReading;
import dev.recorder.audit.objects.Integrity;
import dev.recorder.audit.objects.RowPrint;
import dev.recorder.audit.objects.SlotObject;
import dev.recorder.audit.objects.SlotObjects;
import dev.recorder.audit.objects.SlotPlan;
import dev.recorder.handoff.Block;
import dev.recorder.handoff.DatabaseIdentity;
import dev.recorder.handoff.RowKey;
import dev.recorder.logging.Plurals;
import dev.recorder.slotlog.LogChain;
import dev.recorder.slotlog.ObjectMetadata;
import dev.recorder.slotlog.SlotReader.UnreadableSlotException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The first look at the log: everything that objects and {@code slots} tell without the hand-off,
 * and the sums of the lines.
 */
final class LogSide {
  /** Bounds the memory; lines beyond that stand in a slot not theirs are judged at once. */
  private static final int MOST_STRAYS = 100_000;

  private static final long BYTES_A_STRAY = 96;

  private final LogRecords records;
  private final SettledLog settled;
  private final Tally tally;
  private final LogGaps holes;
  private final SlotWindows windows;
  private final ChainProof chain;
  private final ProvedSlots slots;
  private final Sums sums = new Sums();
  private final BitSet conspicuous = new BitSet();
  private final IdSet ids = new IdSet();
  private final IdSet slotsWithoutWindow = new IdSet();
  private final IdSet changedSlots = new IdSet();
  private final SlotsOfAnother slotsOfAnother;
  private final List<Stray> strays = new ArrayList<>();
  private long first;

  private @Nullable DatabaseIdentity before;

  /** A line that stands in {@code slot}, into whose window its row does not belong. */
  record Stray(long slot, RowPrint line) {}

  /**
   * Where a look begins.
   *
   * @param before the chain of the slots before {@code slot}; null if it is not known
   */
  record FirstSlot(long slot, @Nullable LogChain before) {}

  LogSide(
      LogRecords records, SlotObjects objects, SettledLog settled, FirstSlot first, LogGaps holes) {
    this.records = records;
    this.settled = settled;
    this.tally = holes.tally();
    this.holes = holes;
    this.slots = new ProvedSlots(records, objects, settled.log());
    this.slotsOfAnother = new SlotsOfAnother(tally);
    this.first = first.slot();
    this.windows = new SlotWindows(records, settled, holes);
    this.chain = new ChainProof(tally, first.before());
    windows.beginAt(first.slot());
  }

  void examine(long slot) throws UnreadableSlotException {
    if (slot == settled.rebasedSlot() + 1) {
      windows.beginAt(slot);
    }
    SlotReading reading = slots.read(slot, bytes());
    SlotObject object = reading.object();
    if (reading.fault() != null) {
      tally.hashMismatch("slot " + slot + ": " + reading.fault());
    }
    if (object != null) {
      examine(slot, object, reading);
      return;
    }
    chain.unknown();
    if (!reading.isMissing()) {
      followAbsent(slot, reading.plans());
    } else if (records.settled().head().firstSlot() > slot) {
      windows.beginAt(slot + 1); // Expired a moment ago, by its owner.
      first = slot + 1;
    } else {
      tally.gap("slot " + slot + " is missing: there is no " + slots.name(slot));
      followAbsent(slot, reading.plans());
    }
  }

  void finish() {
    windows.finish();
    chain.finish(settled.head().lastSlot(), settled.head().chain());
  }

  /** The rows that must be in the slots that were examined. */
  DueRows due() {
    return new DueRows(settled, first, windows.beginning());
  }

  Sums sums() {
    return sums;
  }

  /** What is kept from slot to slot, and as much again of the hand-off. */
  long bytes() {
    return 2 * sums.bytes() + ids.bytes() + BYTES_A_STRAY * strays.size();
  }

  /** The blocks whose rows were cleared away. */
  BlockRanges cleared() {
    return settled.cleared();
  }

  /** Places at which there is something to be looked at, whatever the sums say. */
  BitSet conspicuous() {
    return conspicuous;
  }

  List<Stray> strays() {
    return strays;
  }

  /** Whether windows tell what {@code slot} holds, and the lines are in this server's numbers. */
  boolean hasWindow(long slot) {
    return !isForeign(slot) && !slotsWithoutWindow.contains(slot);
  }

  /** Whether there is an object that is not what was written. */
  boolean isChanged(long slot) {
    return changedSlots.contains(slot);
  }

  /** See {@link SlotsOfAnother}; those that were examined so far. */
  SlotsOfAnother slotsOfAnother() {
    return slotsOfAnother;
  }

  boolean isForeign(long slot) {
    return slot <= settled.rebasedSlot();
  }

  /** The object of a slot that was examined, once more; empty if it is none. */
  Optional<SlotObject> again(long slot, long kept) throws UnreadableSlotException {
    return Optional.ofNullable(slots.read(slot, kept).object());
  }

  private void examine(long slot, SlotObject object, SlotReading reading) {
    tally.slots++;
    tally.rows += object.lines().size();
    if (reading.fault() == null) {
      object.metadata().ifPresent(metadata -> chain.object(slot, object, metadata));
    } else {
      chain.unknown();
      changedSlots.add(slot);
    }
    checkOrder(slot, object.lines());
    object.metadata().ifPresent(metadata -> checkDatabase(metadata, object.lines().size()));
    Stretch stretch = null;
    if (!isForeign(slot)) {
      SlotPlan plan = planOf(slot, object, reading.plans());
      if (plan == null) {
        windows.followUnplanned();
      } else {
        stretch = windows.follow(slot, plan);
      }
      if (stretch == null) {
        slotsWithoutWindow.add(slot);
      }
    }
    for (RowPrint line : object.lines()) {
      examine(slot, line, stretch);
    }
  }

  private void examine(long slot, RowPrint line, @Nullable Stretch stretch) {
    boolean again = !ids.add(line.id());
    boolean astray = stretch != null && !stretch.contains(line.key());
    boolean ofAnother = slotsOfAnother.has(slot);
    if (again || astray || ofAnother) {
      conspicuous.set(Sums.place(line.id()));
    }
    if (astray) {
      if (strays.size() < MOST_STRAYS) {
        strays.add(new Stray(slot, line));
      } else {
        tally.outOfOrder(line.key() + " stands in slot " + slot + ", and belongs into another");
      }
    }
    if ((!isForeign(slot) || ofAnother) && !settled.cleared().has(Block.of(line.id()))) {
      sums.add(line);
    }
  }

  private void followAbsent(long slot, List<SlotPlan> plans) {
    SlotPlan plan = windows.choose(slot, plans);
    if (isForeign(slot)) {
      if (plan != null) {
        long rows = plan.extent().rows();
        tally.lost(rows, "slot " + slot + " is gone with " + Plurals.rows(rows));
      }
    } else if (plan == null) {
      windows.followUnplanned();
    } else {
      holes.absent(slot, plan.extent().rows(), windows.follow(slot, plan));
    }
  }

  /** The content's own row in {@code slots}; of a changed object, the one it most likely had. */
  private @Nullable SlotPlan planOf(long slot, SlotObject object, List<SlotPlan> plans) {
    SlotPlan plan = Integrity.withHash(object.sha256(), plans);
    if (plan == null && object.metadata().isPresent()) {
      plan = Integrity.withHash(object.metadata().get().sha256(), plans);
    }
    return plan == null ? windows.choose(slot, plans) : plan;
  }

  /** Whoever has the log go on behind a copy's slots leaves them in it. */
  private void checkDatabase(ObjectMetadata object, long lines) {
    DatabaseIdentity by = object.database();
    if (by == null) {
      return;
    } else if (settled.isOfAnother(object)) {
      slotsOfAnother.add(object, by, lines);
    } else if (before != null && by.isSameDatabase(before) && by.timeline() < before.timeline()) {
      tally.note(
          """
          slot %s was written on timeline %s of the server and the one before it on timeline %s: \
          either the database was restored without its archive, or a copy under the same name \
          wrote the slots before\
          """
              .formatted(object.slot(), by.timeline(), before.timeline()));
    }
    before = by;
  }

  private void checkOrder(long slot, List<RowPrint> lines) {
    RowKey greatest = null;
    for (RowPrint line : lines) {
      RowKey key = line.key();
      if (greatest == null || key.compareTo(greatest) >= 0) {
        greatest = key;
      } else {
        tally.outOfOrder("slot " + slot + ": " + key + " stands behind " + greatest);
      }
    }
  }
}
