package dev.recorder.audit;

import dev.recorder.audit.LogRecords.SettledLog;
import dev.recorder.handoff.KeptRow;
import dev.recorder.handoff.Position;
import dev.recorder.handoff.RowKey;
import org.jspecify.annotations.Nullable;

/** Which rows of the hand-off must stand in the slots that are looked at. */
final class DueRows {
  /** What a rebase gives to rows: they stand in objects under another number. */
  static final long MOST_REBASED_XID = 3;

  private final @Nullable Stretch stretch;
  private final long first;
  private final long last;

  /**
   * Rows that the log covers behind {@code beginning}.
   *
   * @param first the first slot that is looked at
   * @param beginning null if that is unknown; then only rows are due that a slot is said to hold
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
