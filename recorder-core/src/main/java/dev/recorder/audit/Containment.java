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
 * Proves that a log's objects hold given rows of a hand-off table. The rows are read as they are
 * stored, the lines from the objects. They are compared without transaction numbers, which a rebase
 * changes. Proved rows may be deleted.
 *
 * <p>Both sides are summed place by place, as in {@link LogVerifier}. Where sums differ, rows are
 * searched one by one. Lines without a row, which lost history may have left in the objects, do no
 * harm. Many such rows are searched batch by batch, each with a scan of the rows and of the
 * objects, until a batch has rows that are missing. Holds in memory one slot, for which it requests
 * room, sums of at most 40 MB, and the prints of {@value #MOST_ROWS} rows. For one use and one
 * thread.
 */
public final class Containment {
  static final int MOST_ROWS = 200_000;

  private final SlotObjects objects;
  private final LogRecords records;
  private final LogLayout layout;
  private final BooleanSupplier goesOn;
  private int mostRows = MOST_ROWS;

  /**
   * The result of a proof.
   *
   * @param rows number of rows
   * @param blocks of the rows' ids
   * @param upTo the last slot that was needed
   * @param trouble why the rows are not proved, in one sentence without its full stop; empty if
   *     they are
   * @param lasting whether the same rows and objects would always have this trouble
   */
  public record Comparison(
      long rows, Set<Long> blocks, long upTo, String trouble, boolean lasting) {
    public boolean isProved() {
      return trouble.isEmpty();
    }
  }

  /**
   * Creates a proof.
   *
   * @param goesOn polled before each object; false abandons the proof
   * @param room for the objects; without room nothing is proved
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

  /** Sets the number of rows that are searched one by one at a time. */
  Containment inBatchesOf(int rows) {
    mostRows = rows;
    return this;
  }

  /**
   * Searches the settled slots from {@code from} on for each of {@code rows}. Slots without a row
   * in {@code slots} have none of these rows, since otherwise their rows in {@code slots} would not
   * be deleted.
   *
   * @param rows scanned once, and again for each batch of rows that are searched one by one; before
   *     the caller deletes rows, it must check that all scans saw the same rows
   * @throws UnreadableSlotException if the store does not answer
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

  /** Sums the rows, and counts those that the log has not reached. */
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

  /** Searches the objects, given the rows' sums. */
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

    /** Whether the trouble may pass by itself. */
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

    /**
     * Searches rows one by one, in batches. Each batch is proved on its own, since rows that came
     * meanwhile are not in the sums.
     */
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

    /**
     * Returns the lines of an undamaged object; empty if there is trouble, or if the object is
     * below the floor and gone.
     */
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
      if (reading.plans().isEmpty()) { // Only the object says what was settled.
        passes("rows of slots were deleted while it was compared with the log");
        return List.of();
      }
      return object.lines();
    }
  }
}
