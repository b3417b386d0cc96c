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
final class SecondLook implements HandoffRows.RowSink {
  /** Bounds the memory to some 200 MB; what is at places beyond is judged by its number. */
  static final int MOST_ROWS = 500_000;

  /** Of a row that is compared with a line. */
  private static final long BYTES_A_ROW = 400;

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

  /** The same, to be found by lines that name a row and are not it. */
  private final Map<RowKey, Expected> byKey = new HashMap<>();

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

    /** The first line that names the row and says something else of it. */
    private @Nullable RowPrint differing;

    private long differsIn;

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
      Expected one = new Expected(print, row.excludedBy());
      expected.put(print.mark(), one);
      byKey.put(print.key(), one);
    } else {
      // Where lines are not looked for, one may name the row.
      lost(new RowKey(row.xid(), row.id()), row.timeMicros(), row.excludedBy(), !looked);
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
    if (row == null && !log.isForeign(slot) && !isOfANamedRow(slot, line)) {
      tellOfNoRow(slot, line);
    }
  }

  private void tellOfNoRow(long slot, RowPrint line) {
    if (log.hasWindow(slot) && !needsNoRow(line)) {
      tally.duplicated(
          "slot " + slot + " holds " + line.key() + " in a line that no row of its window has");
    }
  }

  /** Whether the line differs from a row that it names: what that means is judged in the end. */
  private boolean isOfANamedRow(long slot, RowPrint line) {
    Expected named = byKey.get(line.key());
    if (named == null || named.differing != null) {
      return false;
    }
    named.differing = line;
    named.differsIn = slot;
    return true;
  }

  private @Nullable Expected expected(RowPrint line) {
    Expected row = expected.get(line.mark());
    return row != null && row.row.equals(line.key()) ? row : null;
  }

  // ---- then the judgement

  void judge() {
    log.strays().forEach(this::judgeStray);
    expected.values().forEach(this::judgeRow);
    if (uncompared > 0) {
      tally.note(
          uncompared + " rows were not compared, as others were cleared meanwhile; run it again");
    }
    if (!remedies.isEmpty()) {
      tally.note(records.remedy(remedies));
    }
  }

  private void judgeRow(Expected row) {
    RowPrint line = row.differing;
    if (line != null && row.found) {
      tellOfNoRow(row.differsIn, line);
    } else if (line != null && (log.hasWindow(row.differsIn) || row.excludedBy == row.differsIn)) {
      differs(row, line);
    } else if (!row.found) {
      // A line that names it in a slot of another history is another row.
      lost(row.row, row.timeMicros, row.excludedBy, true);
    }
  }

  /**
   * It is in the log, and handed over again it would be there twice: there is nothing for the
   * operator to do.
   */
  private void differs(Expected row, RowPrint line) {
    holes.kept(row.row, row.excludedBy);
    String what =
        line.timeMicros() == row.timeMicros
            ? "another key or payload than the table"
            : line.timeMicros() == RowPrint.NO_TIME
                ? "another line than the table's row would be"
                : "another time than the table: it is %s in the log, and %s in the table"
                    .formatted(Tally.time(line.timeMicros()), Tally.time(row.timeMicros));
    tally.duplicated("slot %d holds %s with %s".formatted(row.differsIn, row.row, what));
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

  private void lost(RowKey row, long timeMicros, long excludedBy, boolean isInNoLine) {
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
    if (isInNoLine && !withItsSlot && !withItsObject && remedies.size() < MOST_REMEDIES) {
      remedies.add(row);
    }
  }

  /** Of the rows that are due, how many were found in the log. */
  long found() {
    return found;
  }
}
