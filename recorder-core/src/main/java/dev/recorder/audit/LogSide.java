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
 * The first look at the log: the checks of objects and {@code slots} that need no hand-off table,
 * and the sums of the lines.
 */
final class LogSide {
  /** The most strays that are kept; further lines in a wrong slot are judged at once. */
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

  /** A line in {@code slot} whose row belongs to another slot's window. */
  record Stray(long slot, RowPrint line) {}

  /**
   * The beginning of a look.
   *
   * @param before the chain of the slots before {@code slot}; null if unknown
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
      windows.beginAt(slot + 1); // Its owner has expired it a moment ago.
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

  /** The rows that must be in the examined slots. */
  DueRows due() {
    return new DueRows(settled, first, windows.beginning());
  }

  Sums sums() {
    return sums;
  }

  /** The memory that is kept from slot to slot, with as much again for the hand-off table. */
  long bytes() {
    return 2 * sums.bytes() + ids.bytes() + BYTES_A_STRAY * strays.size();
  }

  /** The blocks whose rows were cleared. */
  BlockRanges cleared() {
    return settled.cleared();
  }

  /** Places that must be compared, whatever the sums say. */
  BitSet conspicuous() {
    return conspicuous;
  }

  List<Stray> strays() {
    return strays;
  }

  /**
   * Whether a window says which rows {@code slot} holds, and its lines have this server's numbers.
   */
  boolean hasWindow(long slot) {
    return !isForeign(slot) && !slotsWithoutWindow.contains(slot);
  }

  /** Whether the slot's object differs from the written one. */
  boolean isChanged(long slot) {
    return changedSlots.contains(slot);
  }

  /** The slots of other databases among those examined so far; see {@link SlotsOfAnother}. */
  SlotsOfAnother slotsOfAnother() {
    return slotsOfAnother;
  }

  boolean isForeign(long slot) {
    return slot <= settled.rebasedSlot();
  }

  /** Reads the object of an examined slot again; empty if there is none. */
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

  /**
   * Returns the row in {@code slots} with this content; for a changed object, the row that it most
   * likely had.
   */
  private @Nullable SlotPlan planOf(long slot, SlotObject object, List<SlotPlan> plans) {
    SlotPlan plan = Integrity.withHash(object.sha256(), plans);
    if (plan == null && object.metadata().isPresent()) {
      plan = Integrity.withHash(object.metadata().get().sha256(), plans);
    }
    return plan == null ? windows.choose(slot, plans) : plan;
  }

  /**
   * Notes which database wrote the object. A log that was continued after a copy's slots keeps
   * these slots.
   */
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
