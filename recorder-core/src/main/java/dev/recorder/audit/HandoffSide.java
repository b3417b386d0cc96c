package dev.recorder.audit;

import dev.recorder.audit.objects.RowPrints;
import dev.recorder.handoff.Block;
import dev.recorder.handoff.KeptRow;
import java.util.BitSet;

/** The first look at the hand-off table: the number of due rows, and their sums. For one thread. */
final class HandoffSide implements HandoffRows.RowSink {
  private final DueRows due;
  private final BlockRanges cleared;
  private final Progress progress;
  private final RowPrints prints = new RowPrints();
  private final Sums sums = new Sums();

  /** Places of rows that were inserted after their block had been cleared. */
  private final BitSet late = new BitSet();

  private long rows;

  /** Creates a look whose sums leave out rows of cleared blocks. */
  HandoffSide(DueRows due, BlockRanges cleared, Progress progress) {
    this.due = due;
    this.cleared = cleared;
    this.progress = progress;
  }

  @Override
  public void row(KeptRow row) {
    rows++;
    if (cleared.has(Block.of(row.id()))) {
      late.set(Sums.place(row.id()));
    } else if (due.has(row)) {
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

  /** Places of rows that are not in the sums, so that they are compared one by one. */
  BitSet late() {
    return late;
  }
}
