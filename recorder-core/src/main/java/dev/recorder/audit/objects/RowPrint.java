package dev.recorder.audit.objects;

import dev.recorder.handoff.RowKey;

/**
 * A row's number and, in 16 bytes, all of it but its transaction's number: rows that a rebase has
 * renumbered keep theirs.
 */
public record RowPrint(long id, long xid, long timeMicros, long high, long low) {

  /** A line without a readable time; nothing excuses it from having a row. */
  public static final long NO_TIME = Long.MAX_VALUE;

  public RowKey key() {
    return new RowKey(xid, id);
  }

  public Mark mark() {
    return new Mark(high, low);
  }

  /** What makes two lines one row. */
  public record Mark(long high, long low) {
    @Override
    public int hashCode() {
      return Long.hashCode(low); // Half of a SHA-256 needs no more mixing.
    }
  }
}
