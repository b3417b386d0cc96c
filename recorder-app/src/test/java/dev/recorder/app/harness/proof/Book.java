package dev.recorder.app.harness.proof;

import java.util.Arrays;

/**
 * What one producer knows of its transactions, by number, some bytes each: an hour has hundreds of
 * thousands. Times are of this JVM's monotonic clock. Thread-safe.
 */
final class Book {
  static final int MOST_ROWS = 32;

  /** What has become of a transaction. */
  enum State {
    ROLLED_BACK,
    COMMITTED,
    /** Its commit was sent, and no answer came. */
    UNKNOWN,
    /** Its database has been replaced by another, which may have lost it. */
    DOUBTED,
    /** It was lost with its database. */
    GONE
  }

  private final int number;
  private int size;
  private long undone;
  private long[] began = new long[1024];
  private long[] ended = new long[1024];
  private int[] rows = new int[1024];
  private byte[] recorders = new byte[1024];
  private State[] states = new State[1024];

  Book(int number) {
    this.number = number;
  }

  /** Which of all books it is. */
  int number() {
    return number;
  }

  /** The number of a transaction's receipt: no transaction of any book has the same. */
  long receipt(int transaction) {
    return (long) number << 32 | transaction;
  }

  /** Begins a transaction, which counts as rolled back at first, and returns its number. */
  synchronized int begin(int recorder, long nanos) {
    if (size == began.length) {
      grow();
    }
    began[size] = nanos;
    recorders[size] = (byte) recorder;
    states[size] = State.ROLLED_BACK;
    return size++;
  }

  /**
   * Its commit was confirmed before {@code nanos}.
   *
   * @param rowBits the rows that it committed, a bit each
   */
  synchronized void committed(int transaction, int rowBits, long nanos) {
    states[transaction] = State.COMMITTED;
    rows[transaction] = rowBits;
    ended[transaction] = nanos;
  }

  synchronized void unknown(int transaction, int rowBits) {
    states[transaction] = State.UNKNOWN;
    rows[transaction] = rowBits;
    // Nobody knows when: then no other transaction began later.
    ended[transaction] = Long.MAX_VALUE;
  }

  /** So many rows were inserted and rolled back. */
  synchronized void undone(int count) {
    undone += count;
  }

  /** From now on it is for another database to say which of its transactions are there. */
  synchronized void doubt() {
    for (int i = 0; i < size; i++) {
      if (state(i) != State.ROLLED_BACK) {
        states[i] = State.DOUBTED;
        ended[i] = Long.MAX_VALUE;
      }
    }
  }

  /** What the database says of an unknown or doubted one. */
  synchronized void resolve(int transaction, boolean there) {
    boolean wasThere = state(transaction) == State.DOUBTED;
    if (!there) {
      undone += Integer.bitCount(rows[transaction]);
    }
    states[transaction] = there ? State.COMMITTED : wasThere ? State.GONE : State.ROLLED_BACK;
  }

  synchronized int size() {
    return size;
  }

  synchronized State state(int transaction) {
    return states[transaction];
  }

  /** Whether the database has yet to say what has become of it. */
  boolean isOpen(int transaction) {
    return state(transaction) == State.UNKNOWN || state(transaction) == State.DOUBTED;
  }

  boolean isCommitted(int transaction) {
    return state(transaction) == State.COMMITTED;
  }

  synchronized long began(int transaction) {
    return began[transaction];
  }

  /** When its commit was known; never, in effect, if it was not confirmed. */
  synchronized long ended(int transaction) {
    return ended[transaction];
  }

  synchronized int rows(int transaction) {
    return rows[transaction];
  }

  synchronized int recorder(int transaction) {
    return recorders[transaction];
  }

  /** Number of committed rows of a recorder. */
  synchronized long rowsOf(int recorder) {
    long committed = 0;
    for (int i = 0; i < size; i++) {
      if (isCommitted(i) && recorders[i] == recorder) {
        committed += Integer.bitCount(rows[i]);
      }
    }
    return committed;
  }

  /** Number of rows that were inserted and rolled back. */
  synchronized long undone() {
    return undone;
  }

  private void grow() {
    int capacity = 2 * size;
    began = Arrays.copyOf(began, capacity);
    ended = Arrays.copyOf(ended, capacity);
    rows = Arrays.copyOf(rows, capacity);
    recorders = Arrays.copyOf(recorders, capacity);
    states = Arrays.copyOf(states, capacity);
  }
}
