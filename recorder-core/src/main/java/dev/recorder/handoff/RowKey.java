package dev.recorder.handoff;

import java.util.Comparator;

/** A row's place in the order of its window. */
public record RowKey(long xid, long id) implements Comparable<RowKey> {
  private static final Comparator<RowKey> ORDER =
      Comparator.comparingLong(RowKey::xid).thenComparingLong(RowKey::id);

  @Override
  public int compareTo(RowKey other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return "row " + id + " of transaction " + xid;
  }
}
