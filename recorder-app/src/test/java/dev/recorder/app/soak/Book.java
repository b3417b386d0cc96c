package dev.recorder.app.soak;

import java.util.Arrays;

/**
 * What one application knows of its transactions, by number, some bytes each: an hour has hundreds
 * of thousands. For the thread of the application; for others once that has ended.
 */
final class Book {
  static final int MOST_ROWS = 32;

  private static final byte ROLLED_BACK = 0;
  private static final byte COMMITTED = 1;
  private static final byte UNKNOWN = 2;

  private int size;
  private long[] began = new long[1024];
  private long[] ended = new long[1024];
  private int[] rows = new int[1024];
  private int[] seen = new int[1024];
  private byte[] recorders = new byte[1024];
  private byte[] states = new byte[1024];

  /** Begins a transaction, on this JVM's monotonic time, and returns its number. */
  int begin(int recorder, long nanos) {
    if (size == began.length) {
      grow();
    }
    began[size] = nanos;
    recorders[size] = (byte) recorder;
    return size++;
  }

  /**
   * Its commit was confirmed before {@code nanos}.
   *
   * @param rowBits the rows that it committed, a bit each
   */
  void committed(int transaction, int rowBits, long nanos) {
    states[transaction] = COMMITTED;
    rows[transaction] = rowBits;
    ended[transaction] = nanos;
  }

  /** Its commit was sent, and no answer came. */
  void unknown(int transaction, int rowBits) {
    states[transaction] = UNKNOWN;
    rows[transaction] = rowBits;
    // Nobody knows when: then no other transaction began later.
    ended[transaction] = Long.MAX_VALUE;
  }

  /** What the database says of an unknown one. */
  void resolve(int transaction, boolean committed) {
    states[transaction] = committed ? COMMITTED : ROLLED_BACK;
  }

  int size() {
    return size;
  }

  boolean isUnknown(int transaction) {
    return states[transaction] == UNKNOWN;
  }

  boolean isCommitted(int transaction) {
    return states[transaction] == COMMITTED;
  }

  long began(int transaction) {
    return began[transaction];
  }

  /** When its commit was known; never, in effect, if it was not confirmed. */
  long ended(int transaction) {
    return ended[transaction];
  }

  int rows(int transaction) {
    return rows[transaction];
  }

  int recorder(int transaction) {
    return recorders[transaction];
  }

  /** The rows of it that were found so far, a bit each. */
  int seen(int transaction) {
    return seen[transaction];
  }

  void see(int transaction, int row) {
    seen[transaction] |= 1 << row;
  }

  private void grow() {
    int capacity = 2 * size;
    began = Arrays.copyOf(began, capacity);
    ended = Arrays.copyOf(ended, capacity);
    rows = Arrays.copyOf(rows, capacity);
    seen = Arrays.copyOf(seen, capacity);
    recorders = Arrays.copyOf(recorders, capacity);
    states = Arrays.copyOf(states, capacity);
  }
}
