package dev.recorder.audit;

import dev.recorder.audit.LogRecords.SettledLog;
import dev.recorder.audit.ProvedSlots.SlotReading;
import dev.recorder.audit.objects.ReadingRoom;
import dev.recorder.audit.objects.RowPrint;
import dev.recorder.audit.objects.RowPrints;
import dev.recorder.audit.objects.SlotObject;
import dev.recorder.audit.objects.SlotObjects;
import dev.recorder.audit.objects.UnfinishedException;
import dev.recorder.handoff.KeptRow;
import dev.recorder.handoff.Position;
import dev.recorder.slotlog.LogLayout;
import dev.recorder.slotlog.SlotReader.UnreadableSlotException;
import dev.recorder.store.ObjectStore;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Proves of some rows of a hand-off that a log's objects hold each of them: read as they are stored
 * on one side, from the objects on the other, and compared without their transactions' numbers,
 * which a rebase changes. What is proved may be thrown away.
 *
 * <p>Both sides are summed up place by place, as {@link LogVerifier} does. Where the sums differ,
 * rows are looked for one by one: a history that was lost has left lines in the objects that no row
 * has, and those do no harm. If there are many such rows, that is done batch by batch, each with a
 * scan of the rows and of the objects, until one has rows that are missing. Holds one slot in
 * memory at a time, for which it asks, sums of 40 MB at most, and {@value #MOST_ROWS} rows' prints.
 * One use, one thread.
 */
public final class Containment {
  static final int MOST_ROWS = 200_000;

  private final SlotObjects objects;
  private final LogRecords records;
  private final LogLayout layout;
  private final BooleanSupplier goesOn;
  private int mostRows = MOST_ROWS;

  /**
   * What was found.
   *
   * @param rows how many rows there are
   * @param blocks of their ids
   * @param upTo the last slot that was needed
   * @param trouble why they are not proved, in one sentence without its end; empty if they are
   * @param lasting whether the trouble does not pass by itself: with the same rows and objects it
   *     would come out the same
   */
  public record Comparison(
      long rows, Set<Long> blocks, long upTo, String trouble, boolean lasting) {
    public boolean isProved() {
      return trouble.isEmpty();
    }
  }

  /**
   * A proof.
   *
   * @param goesOn polled before each object; if false, the proof is abandoned
   * @param room for the objects; without it nothing is proved
   */
  public Containment(
      ObjectStore bucket,
      LogLayout layout,
      LogRecords records,
      BooleanSupplier goesOn,
      ReadingRoom room) {
    this.objects = new SlotObjects(bucket, layout, room);
    this.layout = layout;
    this.records = records;
    this.goesOn = goesOn;
  }

  /** Has so many rows looked for one by one at a time. */
  Containment inBatchesOf(int rows) {
    mostRows = rows;
    return this;
  }

  /**
   * Looks for each of {@code rows} in the settled slots from {@code from} on. Slots without a row
   * in {@code slots} have none of them: else that would not be deleted.
   *
   * @param rows scanned once, and again for each batch of rows that are looked for one by one: who
   *     throws them away must know that they were the same ones all the time
   * @throws UnreadableSlotException if the store gives no answer
   */
  public Comparison prove(HandoffRows rows, long from) throws UnreadableSlotException {
    SettledLog settled = records.settled();
    FirstLook kept = new FirstLook(settled.head().position());
    rows.scan(kept);
    if (kept.waiting > 0) {
      String waiting = kept.waiting + " of its rows are not recorded yet";
      return new Comparison(kept.sums.rows(), kept.sums.blocks(), 0, waiting, false);
    }
    try {
      return new RowSearch(kept.sums, settled, from).through(rows);
    } finally {
      objects.leaveRoom();
    }
  }

  /** Sums the rows up, and counts those that the log has not come to. */
  private static final class FirstLook implements HandoffRows.RowSink {
    private final Position position;
    private final RowPrints prints = new RowPrints();
    private final RowSums sums = new RowSums();
    private long waiting;

    FirstLook(Position position) {
      this.position = position;
    }

    @Override
    public void row(KeptRow row) {
      RowPrint print = prints.of(row);
      sums.add(print);
      if (row.excludedBy() == 0 && !Stretch.covers(position, print.key())) {
        waiting++;
      }
    }

    @Override
    public void progress(long read, long pages) {}
  }

  /** Through the objects, with the rows' sums in hand. */
  private final class RowSearch {
    private final RowSums kept;
    private final ProvedSlots slots;
    private final long floor;
    private final long from;
    private final long first;
    private final long last;
    private final RowSums lines = new RowSums();

    /** The last slot with a line that may be one of the rows. */
    private long upTo;

    private String trouble = "";

    /** Whether the trouble passes by itself. */
    private boolean passes;

    RowSearch(RowSums kept, SettledLog settled, long from) {
      this.kept = kept;
      this.slots = new ProvedSlots(records, objects, settled.log());
      this.floor = settled.head().firstSlot();
      this.from = from;
      this.first = Math.max(from, slots.plansFrom());
      this.last = settled.head().lastSlot();
      this.upTo = first - 1;
    }

    Comparison through(HandoffRows rows) throws UnreadableSlotException {
      long slot = first - 1;
      while (trouble.isEmpty() && !kept.equalTo(lines)) {
        if (slot >= last) {
          return lookAgain(rows);
        }
        slot++;
        for (RowPrint line : linesOf(slot)) {
          if (kept.mayHave(line.id())) {
            lines.add(line);
            upTo = slot;
          }
        }
      }
      return comparison();
    }

    private Comparison comparison() {
      boolean lasting = !trouble.isEmpty() && !passes;
      return new Comparison(kept.rows(), kept.blocks(), upTo, trouble, lasting);
    }

    /** A batch of rows is proved by itself: what came meanwhile is not among those summed up. */
    private Comparison lookAgain(HandoffRows rows) throws UnreadableSlotException {
      MissingRows missing = new MissingRows(kept, kept.differences(lines), mostRows);
      while (trouble.isEmpty() && missing.next()) {
        rows.scan(missing);
        if (missing.hasMore()) {
          passes("rows came into it while it was compared with the log");
        } else {
          lookFor(missing);
        }
      }
      return comparison();
    }

    private void passes(String why) {
      trouble = why;
      passes = true;
    }

    private void lookFor(MissingRows missing) throws UnreadableSlotException {
      for (long slot = first; !missing.isEmpty() && slot <= last && trouble.isEmpty(); slot++) {
        linesOf(slot).forEach(missing::found);
      }
      if (trouble.isEmpty() && !missing.isEmpty()) {
        trouble = missing.count() + why();
      }
    }

    private String why() {
      if (first < floor) {
        return ", and slots below " + floor + ", which may have held them, have expired";
      }
      return from < first
          ? ", and slots below " + first + ", which may have held them, have no rows in slots"
          : ": run 'recorder verify " + layout.recorder() + "'";
    }

    /** Of an object that is what was written for its slot; one below the floor may be gone. */
    private List<RowPrint> linesOf(long slot) throws UnreadableSlotException {
      if (!goesOn.getAsBoolean()) {
        passes("it was interrupted");
        return List.of();
      }
      SlotReading reading;
      try {
        reading = slots.read(slot, 0);
      } catch (UnfinishedException e) {
        trouble =
            "slot %d: %s cannot be read here: %s".formatted(slot, slots.name(slot), e.getMessage());
        passes = !e.isLasting();
        return List.of();
      }
      if (reading.isMissing()) {
        trouble =
            slot < floor ? "" : "slot " + slot + ": " + slots.name(slot) + " is not in the store";
        return List.of();
      }
      SlotObject object = reading.object();
      if (object == null || reading.fault() != null) {
        trouble = "slot " + slot + ": " + reading.fault();
        return List.of();
      }
      if (reading.plans().isEmpty()) { // Then nothing but the object says what was settled.
        passes("rows of slots were deleted while it was compared with the log");
        return List.of();
      }
      return object.lines();
    }
  }
}
