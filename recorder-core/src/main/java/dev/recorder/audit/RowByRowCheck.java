package dev.recorder.audit;

import dev.recorder.audit.objects.RowPrint;
import dev.recorder.audit.objects.RowPrint.Mark;
import dev.recorder.audit.objects.RowPrints;
import dev.recorder.handoff.Block;
import dev.recorder.handoff.KeptRow;
import dev.recorder.handoff.RowKey;
import dev.recorder.logging.Plurals;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Compares hand-off table and log row by row, at one group of {@link DoubtfulPlaces} after the
 * other. For each group, rows come first, then lines, then the judgement. Once enough faults for
 * the report are found, the remaining places are judged by their numbers of rows and lines.
 */
final class RowByRowCheck implements HandoffRows.RowSink {
  /** Limits the memory if many rows have come since the first look. */
  private static final int MOST_ROWS = 2 * DoubtfulPlaces.MOST_ROWS;

  private static final int MOST_REMEDIES = 100;

  /** The most adopted slots that get a note of their own. */
  private static final int MOST_ADOPTED = 100;

  private final LogRecords records;
  private final LogSide log;
  private final DoubtfulPlaces places;
  private final LogGaps holes;
  private final Tally tally;
  private final DueRows due;
  private final RowPrints prints = new RowPrints();

  private final Map<Mark, Expected> expected = new HashMap<>();

  /** The expected rows by number and id, for lines that name a row but differ from it. */
  private final Map<RowKey, Expected> byKey = new HashMap<>();

  /** Rows that are in none of this server's windows, with the slot that excludes them, or 0. */
  private final Map<Mark, Long> outside = new HashMap<>();

  private final Set<Long> rowIds = new HashSet<>();
  private final Map<Long, Rowless> rowless = new TreeMap<>();
  private final Rowless otherRowless = new Rowless();

  private final Map<Mark, Long> occurrences = new HashMap<>();
  private final Set<Mark> twice = new HashSet<>();
  private final List<RowKey> remedies = new ArrayList<>();
  private long found;
  private long uncompared;
  private boolean isBegun;
  private BlockRanges cleared;

  private static final class Expected {
    private final RowKey row;
    private final long timeMicros;
    private final long excludedBy;
    private boolean found;

    /** The first line that names the row and differs from it. */
    private @Nullable RowPrint differing;

    private long differsIn;

    Expected(RowPrint print, long excludedBy) {
      this.row = print.key();
      this.timeMicros = print.timeMicros();
      this.excludedBy = excludedBy;
    }
  }

  /**
   * Lines of adopted slots without a row. They are no fault, since a failover may lose commits that
   * the log keeps.
   */
  private static final class Rowless {
    private long lines;
    private long repeated;

    void add(boolean repeatsId) {
      lines++;
      repeated += repeatsId ? 1 : 0;
    }

    @Override
    public String toString() {
      return Plurals.of(lines, "line has", "lines have")
          + " no row here, as this database lost the commits or a copy of it wrote the slot"
          + (repeated == 0
              ? ""
              : "; " + Plurals.of(repeated, "has", "have") + " the id of another row");
    }
  }

  RowByRowCheck(LogRecords records, LogSide log, DoubtfulPlaces places, LogGaps holes) {
    this.records = records;
    this.log = log;
    this.places = places;
    this.holes = holes;
    this.tally = holes.tally();
    this.due = log.due();
    this.found = places.rowsElsewhere();
    this.cleared = log.cleared();
  }

  /** Continues with the next group; returns false after the last one. */
  boolean next() {
    expected.clear();
    byKey.clear();
    outside.clear();
    rowIds.clear();
    occurrences.clear();
    twice.clear();
    if (isBegun && !tally.hasRoom()) {
      places.judgeOthers(this::judgeByNumber);
      return false;
    }
    isBegun = true;
    return places.next();
  }

  private boolean needsNoRow(RowPrint line) {
    return cleared.has(Block.of(line.id()));
  }

  /**
   * Judges a place by its numbers. Enough faults are known already, so the result does not depend
   * on this place.
   */
  private void judgeByNumber(long rows, long lines) {
    if (rows > lines && cleared.equals(log.cleared())) {
      long lost = rows - lines;
      String finding = "more faults than can be looked at one by one: at least ";
      tally.lost(lost, finding + lost + " of " + Plurals.rows(rows) + " not where they should be");
    } else {
      uncompared += rows;
    }
  }

  // ---- rows

  @Override
  public void row(KeptRow row) {
    boolean looked = places.isCompared(row.id());
    if (!due.has(row)) {
      if (looked && outside.size() < MOST_ROWS) {
        outside.put(prints.of(row).mark(), row.excludedBy());
      }
      return;
    } else if (!looked && !places.isEmpty(row.id())) {
      return;
    }
    if (looked && expected.size() < MOST_ROWS) {
      RowPrint print = prints.of(row);
      Expected one = new Expected(print, row.excludedBy());
      expected.put(print.mark(), one);
      rowIds.add(print.id());
      byKey.put(print.key(), one);
    } else {
      // A place whose lines are not searched: one of them may name the row.
      lost(new RowKey(row.xid(), row.id()), row.timeMicros(), row.excludedBy(), !looked);
    }
  }

  @Override
  public void progress(long read, long pages) {}

  /** Notes that all rows were passed. */
  void beginLines() {
    cleared = records.settled().cleared();
  }

  // ---- lines

  boolean wantsLines() {
    return places.areCompared();
  }

  void line(long slot, RowPrint line) {
    if (!places.isCompared(line.id())) {
      return;
    }
    Mark mark = line.mark();
    Expected row = log.isForeign(slot) ? null : expected(slot, line);
    boolean isHere = row != null || isOutside(slot, line);
    if (!needsNoRow(line)) {
      log.slotsOfAnother().line(slot, isHere);
    }
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
    if (occurrences.size() < MOST_ROWS) {
      occurrences.put(mark, slot);
    }
    if (!isHere && !log.isForeign(slot) && !isOfANamedRow(slot, line)) {
      tellOfNoRow(slot, line);
    }
  }

  private void tellOfNoRow(long slot, RowPrint line) {
    if (log.isForeign(slot) || needsNoRow(line)) {
      return;
    }
    if (!log.hasWindow(slot)) {
      if (!log.slotsOfAnother().has(slot)) {
        adopted(slot).add(rowIds.contains(line.id()));
      }
    } else {
      tally.duplicated(
          "slot " + slot + " holds " + line.key() + " in a line that no row of its window has");
    }
  }

  private Rowless adopted(long slot) {
    return rowless.size() < MOST_ADOPTED || rowless.containsKey(slot)
        ? rowless.computeIfAbsent(slot, s -> new Rowless())
        : otherRowless;
  }

  /** Whether the line differs from a row that it names; the judgement follows at the end. */
  private boolean isOfANamedRow(long slot, RowPrint line) {
    Expected named = byKey.get(line.key());
    if (named == null || named.differing != null) {
      return false;
    }
    named.differing = line;
    named.differsIn = slot;
    return true;
  }

  /**
   * Returns the row of the line: the one with the same number, or one that a rebase renumbered
   * before it was written.
   */
  private @Nullable Expected expected(long slot, RowPrint line) {
    Expected row = expected.get(line.mark());
    return row != null
            && (row.row.equals(line.key())
                || (row.excludedBy == slot && line.xid() <= DueRows.MOST_REBASED_XID))
        ? row
        : null;
  }

  /** Whether the line is a row that a rebase has renumbered here. */
  private boolean isOutside(long slot, RowPrint line) {
    Long excludedBy = outside.get(line.mark());
    return excludedBy != null && (log.isForeign(slot) || excludedBy == slot);
  }

  // ---- judgement

  void judge() {
    for (LogSide.Stray stray : log.strays()) {
      if (places.isCompared(stray.line().id())) {
        judgeStray(stray);
      }
    }
    expected.values().forEach(this::judgeRow);
  }

  /** Reports notes, once all places are judged. */
  void end() {
    if (uncompared > 0) {
      tally.note(
          Plurals.of(uncompared, "row was", "rows were")
              + " not compared, as so many faults were found: run it again when those are"
              + " corrected");
    }
    log.slotsOfAnother().judge();
    rowless.forEach(
        (slot, lines) -> tally.note("slot " + slot + " was adopted by its rows: " + lines));
    if (otherRowless.lines > 0) {
      tally.note("more slots were adopted by their rows: " + otherRowless);
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
      if (line != null) {
        tellOfNoRow(row.differsIn, line); // The line is of another history, and so of another row.
      }
      lost(row.row, row.timeMicros, row.excludedBy, true);
    }
  }

  /**
   * Reports a line that differs from its row. The row is in the log, and inserting it again would
   * duplicate it, so there is no remedy.
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
    Expected row = expected(stray.slot(), line);
    if (twice.contains(line.mark()) || (row == null && !needsNoRow(line))) {
      return; // Already reported.
    }
    if (row != null) {
      holes.kept(line.key(), row.excludedBy);
    }
    if (!tally.hasRoom()) {
      tally.outOfOrder(""); // Only counted; finding the right slot takes a walk through the slots.
      return;
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
    // The object may be restored; a row that was also recorded anew would then be duplicated.
    boolean withItsObject = slot.isPresent() && log.isChanged(slot.getAsLong());
    if (isInNoLine && !withItsSlot && !withItsObject && remedies.size() < MOST_REMEDIES) {
      remedies.add(row);
    }
  }

  /** The number of due rows that were found in the log. */
  long found() {
    return found;
  }
}
