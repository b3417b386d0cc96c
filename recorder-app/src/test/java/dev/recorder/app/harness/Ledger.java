package dev.recorder.app.harness;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What producers know to be committed. Thread-safe. */
public final class Ledger {
  private final Map<String, Entry> committed = new HashMap<>();
  private long rolledBack;

  /**
   * A transaction as its producer saw it, on this JVM's monotonic time.
   *
   * @param beganNanos taken before it began
   * @param committedNanos taken after the commit was confirmed
   */
  record Transaction(long beganNanos, long committedNanos) {}

  /** A committed row, {@code place}-th in its transaction. */
  record Entry(Transaction transaction, int place) {}

  synchronized void committed(Transaction transaction, List<String> keys) {
    for (int place = 0; place < keys.size(); place++) {
      committed.put(keys.get(place), new Entry(transaction, place));
    }
  }

  synchronized void rolledBack(int rows) {
    rolledBack += rows;
  }

  /** Number of committed rows. */
  public synchronized int rows() {
    return committed.size();
  }

  /** Number of rows that were inserted and rolled back. */
  public synchronized long rowsRolledBack() {
    return rolledBack;
  }

  synchronized Map<String, Entry> entries() {
    return Map.copyOf(committed);
  }
}
