package dev.recorder.audit;

import java.util.BitSet;

/**
 * The places at which hand-off and log are compared row by row: where their sums differ, or the log
 * is conspicuous by itself. As many at a time as fit. For one thread.
 */
final class DoubtfulPlaces {
  /** Bounds the memory to some 200 MB, unless a single place has more rows and lines. */
  static final int MOST_ROWS = 500_000;

  /** Of a row that is compared with a line. */
  private static final long BYTES_A_ROW = 400;

  private final Sums kept;
  private final Sums lines;
  private final int most;

  /** Places whose turn has not come. */
  private final BitSet left = new BitSet();

  private final BitSet compared = new BitSet();

  /** Places that the log has nothing at: every row there is lost. They come first, all of them. */
  private final BitSet empty = new BitSet();

  private boolean isBegun;
  private long rowsElsewhere;
  private long bytes;

  /** What is said of a place that is not compared. */
  interface Judge {
    /** It has so many of both by the first look. */
    void place(long rows, long lines);
  }

  /**
   * None yet.
   *
   * @param most how many rows and lines are compared at a time
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

  /** How many rows are at places without a doubt. */
  long rowsElsewhere() {
    return rowsElsewhere;
  }

  /** Goes on to the next places; false if there are no more. */
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

  /** What it takes at most to compare them, by the first look. */
  long bytes() {
    return bytes;
  }

  /** Has all whose turn has not come judged, and ends. */
  void judgeOthers(Judge judge) {
    left.stream().forEach(place -> judge.place(kept.rows(place), lines.rows(place)));
    left.clear();
  }

  boolean areCompared() {
    return !compared.isEmpty();
  }

  /** Whether the rows and lines with this id are compared now. */
  boolean isCompared(long id) {
    return compared.get(Sums.place(id));
  }

  /** Whether all rows with this id are lost, and have their turn now. */
  boolean isEmpty(long id) {
    return empty.get(Sums.place(id));
  }
}
