package dev.recorder.simulation.servers;

import dev.recorder.handoff.HandoffRow;
import java.util.Comparator;

/** A row's place in the order in which rows are recorded. */
public record RowId(long xid, long id) implements Comparable<RowId> {
  private static final Comparator<RowId> ORDER =
      Comparator.comparingLong(RowId::xid).thenComparingLong(RowId::id);

  static RowId of(HandoffRow row) {
    return new RowId(row.xid(), row.id());
  }

  @Override
  public int compareTo(RowId other) {
    return ORDER.compare(this, other);
  }
}
