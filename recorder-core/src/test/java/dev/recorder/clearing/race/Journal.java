package dev.recorder.clearing.race;

import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/** What happened in a race, and which of the races in it were really run. Thread-safe. */
final class Journal {
  /** What a test of clearing has to have met. */
  enum Met {
    /** A leaf was emptied. */
    CLEARED,
    /** An insert was sent after the check and before TRUNCATE, and came back after it. */
    INSERTED_WHILE_TRUNCATE_QUEUED,
    /** An id was drawn before the leaf was emptied of its block, and inserted afterwards. */
    INSERTED_INTO_THE_EMPTIED_LEAF,
    /** A row came between the proof and the lock. */
    CAME_AFTER_THE_PROOF,
    /** Somebody wanted to insert while the leaf was looked at again. */
    GAVE_WAY,
    /** A transaction, prepared ones included, had inserted and not ended. */
    OTHERS_USED_IT,
    /** A leaf had a row that its index does not have. */
    INDEX_MISSED_A_ROW,
    /** The session ended between the proof and the commit. */
    ENDED_UNDER_THE_LOCK,
    /** The session ended anywhere else. */
    ENDED,
    /** A new term began between the proof and the commit. */
    REPLACED_UNDER_THE_LOCK,
    /** Whose term was over wanted to clear. */
    TERM_OVER
  }

  /** An insert with an id that was drawn before; times are of this JVM. */
  record Insert(int leaf, long block, long drawn, long sent, long done) {}

  /** A leaf that was emptied. */
  record Cleared(int leaf, long block, long checked, long truncates, long done) {}

  private final Map<Met, AtomicLong> met = new ConcurrentHashMap<>();
  private final Queue<Insert> inserts = new ConcurrentLinkedQueue<>();
  private final Queue<Cleared> cleared = new ConcurrentLinkedQueue<>();
  private final Queue<String> faults = new ConcurrentLinkedQueue<>();

  void met(Met what) {
    met.computeIfAbsent(what, first -> new AtomicLong()).incrementAndGet();
  }

  void inserted(Insert insert) {
    inserts.add(insert);
  }

  void cleared(Cleared leaf) {
    met(Met.CLEARED);
    cleared.add(leaf);
  }

  void blame(String fault) {
    faults.add(fault);
  }

  List<String> faults() {
    return List.copyOf(faults);
  }

  /** For how long an insert took at most; of those that had drawn their ids early. */
  long longestInsertMillis() {
    return inserts.stream().mapToLong(each -> each.done() - each.sent()).max().orElse(0)
        / 1_000_000;
  }

  boolean hasMetAll(long least) {
    return counts().values().stream().allMatch(times -> times >= least);
  }

  /** How often each was met. */
  Map<Met, Long> counts() {
    Map<Met, Long> counts = new TreeMap<>();
    for (Met each : Met.values()) {
      counts.put(each, met.getOrDefault(each, new AtomicLong()).get());
    }
    Emptied emptied = Emptied.of(cleared);
    counts.put(
        Met.INSERTED_WHILE_TRUNCATE_QUEUED,
        inserts.stream().filter(emptied::hasQueuedBefore).count());
    counts.put(
        Met.INSERTED_INTO_THE_EMPTIED_LEAF,
        inserts.stream().filter(emptied::hasComeBetween).count());
    return counts;
  }
}
