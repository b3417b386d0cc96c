package dev.recorder.simulation.servers;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Who keeps new rows out of which leaf, and who waits for it. */
public final class LeafLocks {
  private final Map<Leaf, FakeSession> holders = new LinkedHashMap<>();
  private final Map<ProducerTransaction, Leaf> waiting = new HashMap<>();

  /** A leaf of a recorder's table. */
  public record Leaf(int lockId, int number) {}

  /** Whether the row's leaf is open; if not, its transaction is seen to wait. */
  boolean mayInsert(ProducerTransaction transaction, NewRow row) {
    Leaf leaf = new Leaf(row.lockId(), HandoffTable.leafOf(row.id()));
    if (holders.containsKey(leaf)) {
      waiting.put(transaction, leaf);
      return false;
    }
    waiting.remove(transaction);
    return true;
  }

  public boolean isWaitedFor(Leaf leaf) {
    return waiting.containsValue(leaf);
  }

  /** False if another session holds it, or a running transaction has inserted into it. */
  public boolean lock(Leaf leaf, FakeSession session) {
    if (!isFree(leaf, session)) {
      return false;
    }
    holders.put(leaf, session);
    return true;
  }

  /** Whether {@code session} could lock it. */
  public boolean isFree(Leaf leaf, FakeSession session) {
    @Nullable FakeSession holder = holders.get(leaf);
    return (holder == null || holder == session) && !isInsertedInto(leaf, session.database());
  }

  private static boolean isInsertedInto(Leaf leaf, FakeDatabase database) {
    return database.tables().running.values().stream()
        .flatMap(transaction -> transaction.rows.stream())
        .anyMatch(
            row ->
                row.lockId() == leaf.lockId()
                    && HandoffTable.leafOf(row.stored().row().id()) == leaf.number());
  }

  public void release(FakeSession session) {
    holders.values().removeIf(holder -> holder == session);
  }

  /** Sessions that hold one. */
  Collection<FakeSession> holders() {
    Set<FakeSession> sessions = new LinkedHashSet<>(holders.values());
    return List.copyOf(sessions);
  }

  /** Transactions have ended with their sessions. */
  void forgetWaiting() {
    waiting.clear();
  }
}
