package dev.recorder.audit;

import dev.recorder.handoff.KeptRow;
import java.util.OptionalLong;

/** The first look at the hand-off: how many rows are due, and their sums. For one thread. */
final class HandoffSide implements HandoffRows.Sink {
  private final Due due;
  private final Progress progress;
  private final RowPrints prints = new RowPrints();
  private final Sums sums = new Sums();
  private long oldest = Long.MAX_VALUE;
  private long rows;

  HandoffSide(Due due, Progress progress) {
    this.due = due;
    this.progress = progress;
  }

  @Override
  public void row(KeptRow row) {
    rows++;
    oldest = Math.min(oldest, row.timeMicros());
    if (due.has(row)) {
      sums.add(prints.of(row));
    }
  }

  @Override
  public void progress(long read, long pages) {
    progress.pages(read, pages, rows);
  }

  Sums sums() {
    return sums;
  }

  /** The time of the oldest row, due or not; empty if there is none. */
  OptionalLong oldest() {
    return rows == 0 ? OptionalLong.empty() : OptionalLong.of(oldest);
  }
}
