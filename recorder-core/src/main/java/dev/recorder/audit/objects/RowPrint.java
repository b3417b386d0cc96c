package dev.recorder.audit.objects;

import dev.recorder.handoff.RowKey;

/**
 * A row's number, and a hash of all its columns except the transaction's number in 16 bytes, so
 * that rows that a rebase has renumbered keep their hash.
 */
public record RowPrint(long id, long xid, long timeMicros, long high, long low) {

  /** The time of a line without a readable time; such a line is never excused from having a row. */
  public static final long NO_TIME = Long.MAX_VALUE;

  public RowKey key() {
    return new RowKey(xid, id);
  }

  public Mark mark() {
    return new Mark(high, low);
  }

  /** The hash by which two lines are the same row. */
  public record Mark(long high, long low) {
    @Override
    public int hashCode() {
      return Long.hashCode(low); // Half of a SHA-256 needs no further mixing.
    }
  }
}
