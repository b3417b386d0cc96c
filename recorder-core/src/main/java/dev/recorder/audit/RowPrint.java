package dev.recorder.audit;

import dev.recorder.handoff.RowKey;

/**
 * A row's number and, in 16 bytes, all of it but its transaction's number: rows that a rebase has
 * renumbered keep theirs.
 */
record RowPrint(long id, long xid, long timeMicros, long high, long low) {

  /** A line without a readable time; nothing excuses it from having a row. */
  static final long NO_TIME = Long.MAX_VALUE;

  RowKey key() {
    return new RowKey(xid, id);
  }

  Mark mark() {
    return new Mark(high, low);
  }

  /** What makes two lines one row. */
  record Mark(long high, long low) {
    @Override
    public int hashCode() {
      return Long.hashCode(low); // Half of a SHA-256 needs no more mixing.
    }
  }
}
