package dev.recorder.audit;

import dev.recorder.audit.RowPrint.Mark;
import dev.recorder.handoff.KeptRow;
import dev.recorder.handoff.RowKey;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Compares hand-off and log row by row, at the places where their sums differ or the log is
 * conspicuous by itself. First come the rows, then the lines, then the judgement.
 */
final class SecondLook implements HandoffRows.Sink {
  /** Bounds the memory to some 150 MB; what is at places beyond is judged by its number. */
  static final int MOST_ROWS = 500_000;

  /** Of a row that is compared with a line. */
  private static final long BYTES_A_ROW = 320;

  private static final int MOST_REMEDIES = 100;

  private final LogRecords records;
  private final LogSide log;
  private final Sums kept;
  private final Holes holes;
  private final Tally tally;
  private final Due due;
  private final RowPrints prints = new RowPrints();

  /** Places whose rows are compared one by one. */
  private final BitSet compared = new BitSet();

  /** Places that the log has nothing at: every row there is lost. */
  private final BitSet empty = new BitSet();

  private final Map<Mark, Expected> expected = new HashMap<>();
  private final Map<Mark, Long> occurrences = new HashMap<>();
  private final Set<Mark> twice = new HashSet<>();
  private final List<RowKey> remedies = new ArrayList<>();
  private long found;
  private long uncompared;
  private long bytes;
  private Cleared cleared;
  private OptionalLong oldest = OptionalLong.empty();

  private static final class Expected {
    private final RowKey row;
    private final long timeMicros;
    private final long excludedBy;
    private boolean found;

    Expected(RowPrint print, long excludedBy) {
      this.row = print.key();
      this.timeMicros = print.timeMicros();
      this.excludedBy = excludedBy;
    }
  }

  SecondLook(LogRecords records, LogSide log, HandoffSide handoff, Holes holes, Tally tally) {
    this.records = records;
    this.log = log;
    this.kept = handoff.sums();
    this.holes = holes;
    this.tally = tally;
    this.due = log.due();
    this.found = kept.rows();
    this.cleared = records.settled().cleared(); // Perhaps more than at the first look.
    choose(handoff.oldest(), handoff.late());
  }

  private void choose(OptionalLong oldestKept, BitSet alwaysCompared) {
    alwaysCompared.or(log.conspicuous());
    BitSet places = kept.differences(log.sums());
    places.or(alwaysCompared);
    long room = MOST_ROWS;
    for (int place = places.nextSetBit(0); place >= 0; place = places.nextSetBit(place + 1)) {
      long rows = kept.rows(place);
      long lines = log.sums().rows(place);
      boolean conspicuous = alwaysCompared.get(place);
      if (!conspicuous && rows == 0 && cleared.goesByAge(log.sums().latest(place), oldestKept)) {
        continue;
      }
      found -= rows;
      if (!conspicuous && lines == 0) {
        empty.set(place);
      } else if (rows + lines <= room) {
        compared.set(place);
        room -= rows + lines;
        bytes += BYTES_A_ROW * (rows + lines);
      } else if (cleared.equals(log.cleared())) {
        judgeByNumber(rows, lines);
      } else {
        uncompared += rows;
      }
    }
  }

  private boolean needsNoRow(RowPrint line) {
    return cleared.excuses(line.id(), line.timeMicros(), oldest);
  }

  private void judgeByNumber(long rows, long lines) {
    String finding = "more faults than can be looked at one by one: at least ";
    long lost = Math.max(rows - lines, 1);
    tally.lost(lost, finding + lost + " of " + rows + " rows are not where they should be");
  }

  /** What it takes at most, by the first look. */
  long bytes() {
    return bytes;
  }

  boolean isNeeded() {
    return !compared.isEmpty() || !empty.isEmpty() || uncompared > 0;
  }

  // ---- first the rows

  @Override
  public void row(KeptRow row) {
    int place = Sums.place(row.id());
    boolean looked = compared.get(place);
    if ((!looked && !empty.get(place)) || !due.has(row)) {
      return;
    }
    if (looked && expected.size() < 2 * MOST_ROWS) {
      RowPrint print = prints.of(row);
      expected.put(print.mark(), new Expected(print, row.excludedBy()));
    } else {
      lost(new RowKey(row.xid(), row.id()), row.timeMicros(), row.excludedBy());
    }
  }

  @Override
  public void progress(long read, long pages) {}

  /** All rows have been handed over. */
  void beginLines() {
    oldest = records.oldestTimeMicros();
    cleared = records.settled().cleared();
  }

  // ---- then the lines

  boolean wantsLines() {
    return !compared.isEmpty();
  }

  void line(long slot, RowPrint line) {
    if (!compared.get(Sums.place(line.id()))) {
      return;
    }
    Mark mark = line.mark();
    Expected row = log.isForeign(slot) ? null : expected(line);
    if (row != null && !row.found) {
      row.found = true;
      found++;
    }
    Long before = occurrences.get(mark);
    if (before != null) {
      twice.add(mark);
      String where = before == slot ? "it" : "slot " + before;
      tally.duplicated(
          "slot " + slot + " holds " + line.key() + ", and " + where + " holds it already");
      return;
    }
    if (occurrences.size() < 2 * MOST_ROWS) {
      occurrences.put(mark, slot);
    }
    if (row == null && log.hasWindow(slot) && !needsNoRow(line)) {
      tally.duplicated(
          "slot " + slot + " holds " + line.key() + " in a line that no row of its window has");
    }
  }

  private @Nullable Expected expected(RowPrint line) {
    Expected row = expected.get(line.mark());
    return row != null && row.row.equals(line.key()) ? row : null;
  }

  // ---- then the judgement

  void judge() {
    log.strays().forEach(this::judgeStray);
    expected.values().stream()
        .filter(row -> !row.found)
        .forEach(row -> lost(row.row, row.timeMicros, row.excludedBy));
    if (uncompared > 0) {
      tally.note(
          uncompared + " rows were not compared, as others were cleared meanwhile; run it again");
    }
    if (!remedies.isEmpty()) {
      tally.note(records.remedy(remedies));
    }
  }

  private void judgeStray(LogSide.Stray stray) {
    RowPrint line = stray.line();
    Expected row = expected(line);
    if (twice.contains(line.mark()) || (row == null && !needsNoRow(line))) {
      return; // Told already.
    }
    if (row != null) {
      holes.kept(line.key(), row.excludedBy);
    }
    OptionalLong slot = records.slotOf(line.key());
    String where = slot.isPresent() ? "slot " + slot.getAsLong() : "no slot's window";
    tally.outOfOrder(line.key() + " belongs into " + where + " and is in slot " + stray.slot());
  }

  private void lost(RowKey row, long timeMicros, long excludedBy) {
    boolean withItsSlot = holes.kept(row, excludedBy);
    if (!tally.hasRoom()) {
      tally.lost(1, "");
      return;
    }
    OptionalLong slot = excludedBy == 0 ? records.slotOf(row) : OptionalLong.of(excludedBy);
    String should =
        slot.isPresent()
            ? "slot " + slot.getAsLong() + " should hold it, and no slot does"
            : "the log has passed it, and no slot holds it";
    tally.lost(1, row + " is lost: " + should + "; its time is " + Tally.time(timeMicros));
    // What was written may be found again: recorded as a new row too, it would be there twice.
    boolean withItsObject = slot.isPresent() && log.isChanged(slot.getAsLong());
    if (!withItsSlot && !withItsObject && remedies.size() < MOST_REMEDIES) {
      remedies.add(row);
    }
  }

  /** Of the rows that are due, how many were found in the log. */
  long found() {
    return found;
  }
}
