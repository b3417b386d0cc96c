package dev.recorder.app.harness;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What producers know to be committed. Thread-safe. */
public final class Ledger {
  private final Map<String, Entry> committed = new HashMap<>();
  private final List<Doubt> inDoubt = new ArrayList<>();
  private long rolledBack;

  /**
   * A transaction as its producer saw it, on this JVM's monotonic time.
   *
   * @param beganNanos taken before it began
   * @param committedNanos taken after the commit was confirmed, or found out about
   */
  record Transaction(long beganNanos, long committedNanos) {}

  /** A committed row, {@code place}-th in its transaction. */
  record Entry(Transaction transaction, int place) {}

  /** A transaction whose commit got no answer. */
  private record Doubt(long beganNanos, List<String> keys) {}

  synchronized void committed(Transaction transaction, List<String> keys) {
    for (int place = 0; place < keys.size(); place++) {
      committed.put(keys.get(place), new Entry(transaction, place));
    }
  }

  /** The connection broke during the commit of a transaction that began then. */
  synchronized void inDoubt(long beganNanos, List<String> keys) {
    inDoubt.add(new Doubt(beganNanos, List.copyOf(keys)));
  }

  /** The keys of every transaction in doubt. */
  synchronized List<String> doubtfulKeys() {
    return inDoubt.stream().flatMap(doubt -> doubt.keys().stream()).toList();
  }

  /** Ends all doubts: what of {@link #doubtfulKeys} is not {@code there} was rolled back. */
  synchronized void endDoubts(Set<String> there) {
    for (Doubt doubt : inDoubt) {
      if (there.containsAll(doubt.keys())) {
        committed(new Transaction(doubt.beganNanos(), System.nanoTime()), doubt.keys());
      } else {
        rolledBack(doubt.keys().size());
      }
    }
    inDoubt.clear();
  }

  /** The longest time since {@code nanos} in which no producer had a commit confirmed. */
  public synchronized Duration longestPauseSince(long nanos) {
    long[] commits =
        committed.values().stream()
            .mapToLong(entry -> entry.transaction().committedNanos() - nanos)
            .filter(commit -> commit > 0)
            .sorted()
            .toArray();
    long longest = 0;
    long last = 0;
    for (long commit : commits) {
      longest = Math.max(longest, commit - last);
      last = commit;
    }
    return Duration.ofNanos(Math.max(longest, System.nanoTime() - nanos - last));
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
