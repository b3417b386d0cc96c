package dev.recorder.audit;

import java.util.BitSet;

/**
 * The places at which hand-off table and log are compared row by row: where sums differ, or where
 * lines of the log are suspect. It goes through them in groups that fit into memory. For one
 * thread.
 */
final class DoubtfulPlaces {
  /** Limits memory to some 200 MB, unless a single place has more rows and lines. */
  static final int MOST_ROWS = 500_000;

  /** The memory of a row that is compared with a line. */
  private static final long BYTES_A_ROW = 400;

  private final Sums kept;
  private final Sums lines;
  private final int most;

  /** Places that are still to be compared. */
  private final BitSet left = new BitSet();

  private final BitSet compared = new BitSet();

  /**
   * Places at which the log has no lines, so that every row there is lost. All of them come in the
   * first group.
   */
  private final BitSet empty = new BitSet();

  private boolean isBegun;
  private long rowsElsewhere;
  private long bytes;

  /** Judges places that are not compared. */
  interface Judge {
    /** Judges a place with so many rows and lines in the first look. */
    void place(long rows, long lines);
  }

  /**
   * Creates the places; the first group begins with {@link #next}.
   *
   * @param most the most rows and lines that are compared at a time
   */
  DoubtfulPlaces(LogSide log, HandoffSide handoff, int most) {
    this.kept = handoff.sums();
    this.lines = log.sums();
    this.most = most;
    this.rowsElsewhere = kept.rows();
    BitSet always = handoff.late();
    always.or(log.conspicuous());
    BitSet places = kept.differences(lines);
    places.or(always);
    for (int place = places.nextSetBit(0); place >= 0; place = places.nextSetBit(place + 1)) {
      rowsElsewhere -= kept.rows(place);
      boolean isEmpty = !always.get(place) && lines.rows(place) == 0;
      (isEmpty ? empty : left).set(place);
    }
  }

  /** Returns the number of rows at places without a doubt. */
  long rowsElsewhere() {
    return rowsElsewhere;
  }

  /** Continues with the next group; returns false if there is none. */
  boolean next() {
    compared.clear();
    if (isBegun) {
      empty.clear();
    }
    isBegun = true;
    long room = most;
    for (int place = left.nextSetBit(0); place >= 0; place = left.nextSetBit(place + 1)) {
      long both = kept.rows(place) + lines.rows(place);
      if (both > room && !compared.isEmpty()) {
        break;
      }
      left.clear(place);
      compared.set(place);
      room -= both;
    }
    bytes = BYTES_A_ROW * (most - room);
    return !compared.isEmpty() || !empty.isEmpty();
  }

  /** The greatest memory that the comparison of this group takes, by the first look. */
  long bytes() {
    return bytes;
  }

  /** Has all remaining places judged, and ends. */
  void judgeOthers(Judge judge) {
    left.stream().forEach(place -> judge.place(kept.rows(place), lines.rows(place)));
    left.clear();
  }

  boolean areCompared() {
    return !compared.isEmpty();
  }

  /** Whether rows and lines with this id are compared in this group. */
  boolean isCompared(long id) {
    return compared.get(Sums.place(id));
  }

  /** Whether all rows with this id are lost, and belong to this group. */
  boolean isEmpty(long id) {
    return empty.get(Sums.place(id));
  }
}
