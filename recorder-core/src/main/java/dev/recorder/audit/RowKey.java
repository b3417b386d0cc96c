package dev.recorder.audit;

import dev.recorder.handoff.HandoffRow;
import dev.recorder.handoff.RecordedLine;
import java.util.Comparator;

/** A row's place in the order of its window. */
public record RowKey(long xid, long id) implements Comparable<RowKey> {
  private static final Comparator<RowKey> ORDER =
      Comparator.comparingLong(RowKey::xid).thenComparingLong(RowKey::id);

  static RowKey of(HandoffRow row) {
    return new RowKey(row.xid(), row.id());
  }

  static RowKey of(RecordedLine line) {
    return new RowKey(line.xid(), line.id());
  }

  @Override
  public int compareTo(RowKey other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return "row " + id + " of transaction " + xid;
  }
}
