package dev.recorder.audit;

import dev.recorder.audit.LogRecords.SettledLog;
import dev.recorder.handoff.KeptRow;
import dev.recorder.handoff.Position;
import dev.recorder.handoff.RowKey;
import org.jspecify.annotations.Nullable;

/** Decides which rows of the hand-off table must be in the examined slots. */
final class DueRows {
  /** The highest number that a rebase gives to rows; objects have such rows under other numbers. */
  static final long MOST_REBASED_XID = 3;

  private final @Nullable Stretch stretch;
  private final long first;
  private final long last;

  /**
   * Rows that the log covers after {@code beginning}.
   *
   * @param first the first examined slot
   * @param beginning null if unknown; then only rows are due that an exclusion assigns to a slot
   */
  DueRows(SettledLog settled, long first, @Nullable Position beginning) {
    this.stretch = beginning == null ? null : new Stretch(beginning, settled.head().position());
    this.first = Math.max(first, settled.rebasedSlot() + 1);
    this.last = settled.head().lastSlot();
  }

  boolean has(KeptRow row) {
    long slot = row.excludedBy();
    if (slot != 0) {
      return slot >= first && slot <= last && row.xid() > MOST_REBASED_XID;
    }
    return stretch != null && stretch.contains(new RowKey(row.xid(), row.id()));
  }
}
