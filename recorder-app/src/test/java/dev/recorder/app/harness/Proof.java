package dev.recorder.app.harness;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Compares a bucket with the ledger of those who filled it.
 *
 * @param rows committed rows
 * @param lost committed rows that are in no object
 * @param duplicated rows that are there more than once, counted each time but the first
 * @param outOfOrder rows after one whose transaction began when theirs had been committed, or
 *     before an earlier row of their own transaction
 * @param foreign rows that nobody committed
 * @param faults of slots and contents, as sentences
 */
public record Proof(
    int rows,
    int objects,
    int lost,
    int duplicated,
    int outOfOrder,
    int foreign,
    List<String> faults) {

  public static Proof of(Bucket bucket, Ledger ledger) {
    return new Examination(ledger.entries()).of(bucket.slots());
  }

  /** Each committed row exactly once, no other, in order, in slots without gaps. */
  public boolean holds() {
    return lost + duplicated + outOfOrder + foreign == 0 && faults.isEmpty();
  }

  private static final class Examination {
    private final Map<String, Ledger.Entry> committed;
    private final Set<String> seen = new HashSet<>();
    private final IdentityHashMap<Ledger.Transaction, Integer> places = new IdentityHashMap<>();
    private final List<String> faults = new ArrayList<>();
    private long latestBegin = Long.MIN_VALUE;
    private int duplicated;
    private int outOfOrder;
    private int foreign;

    Examination(Map<String, Ledger.Entry> committed) {
      this.committed = committed;
    }

    Proof of(List<Bucket.Slot> slots) {
      long epoch = 0;
      for (int i = 0; i < slots.size(); i++) {
        Bucket.Slot slot = slots.get(i);
        if (slot.number() != i + 1) {
          faults.add("slot " + slot.number() + " stands where slot " + (i + 1) + " should be");
        }
        if (slot.epoch() < epoch) {
          faults.add("slot " + slot.number() + " is of epoch " + slot.epoch() + " after " + epoch);
        }
        epoch = slot.epoch();
        slot.rows().forEach(this::examine);
      }
      int lost = committed.size() - (seen.size() - foreign);
      return new Proof(
          committed.size(),
          slots.size(),
          lost,
          duplicated,
          outOfOrder,
          foreign,
          List.copyOf(faults));
    }

    private void examine(Bucket.Row row) {
      if (!row.key().equals(row.payloadKey())) {
        faults.add("row " + row.key() + " carries the payload of " + row.payloadKey());
      }
      Ledger.Entry entry = committed.get(row.key());
      if (!seen.add(row.key())) {
        duplicated++;
      } else if (entry == null) {
        foreign++;
      } else {
        examineOrder(entry);
      }
    }

    private void examineOrder(Ledger.Entry entry) {
      Ledger.Transaction transaction = entry.transaction();
      int expected = places.getOrDefault(transaction, 0);
      places.put(transaction, entry.place() + 1);
      if (entry.place() < expected || latestBegin > transaction.committedNanos()) {
        outOfOrder++;
      }
      latestBegin = Math.max(latestBegin, transaction.beganNanos());
    }
  }
}
