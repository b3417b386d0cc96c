package dev.recorder.simulation;

import dev.recorder.handoff.Position;
import dev.recorder.handoff.Snapshot;
import dev.recorder.simulation.servers.FakeDatabase;
import dev.recorder.simulation.servers.HandoffTable;
import dev.recorder.simulation.servers.ProducerTransaction;
import dev.recorder.simulation.servers.RecorderRow;
import dev.recorder.simulation.servers.RowId;
import dev.recorder.simulation.servers.SlotRow;
import dev.recorder.simulation.servers.StoredRow;
import dev.recorder.slotlog.LogChain;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What must hold of one database, seen together with the logs in the store. */
final class DatabaseWatch {
  private final FakeDatabase database;
  private final Map<Integer, LogView> logs;
  private final Map<Integer, Long> epochs = new HashMap<>();
  private final Map<Integer, Long> checkedSlots = new HashMap<>();
  private final Map<Integer, Integer> clearedSeen = new HashMap<>();
  private final Map<Integer, Compared> compared = new HashMap<>();
  private long versionSeen = -1;

  /**
   * What a look at all rows depends on. Most statements change none of it. Rows are only added and
   * cleared, except by a loss of history, after which everything is looked at again.
   */
  private record Compared(
      Position position, long lastSlot, int rows, int cleared, int exclusions, long changesOfLog) {}

  DatabaseWatch(FakeDatabase database, Map<Integer, LogView> logs) {
    this.database = database;
    this.logs = logs;
    begin();
  }

  /** What was learned may be seen again: the database is not what it was, or new. */
  void begin() {
    epochs.clear();
    compared.clear();
    logs.keySet()
        .forEach(
            lockId -> {
              checkedSlots.put(lockId, database.recorder(lockId).lastSlot());
              clearedSeen.put(lockId, database.handoff(lockId).cleared.size());
            });
  }

  void check() {
    if (database.version() != versionSeen) {
      versionSeen = database.version();
      logs.forEach(this::check);
    }
  }

  private void check(int lockId, LogView log) {
    RecorderRow row = database.recorder(lockId);
    long epochBefore = epochs.getOrDefault(lockId, 0L);
    if (row.epoch() < epochBefore) {
      throw new BrokenPromise("epoch " + row.epoch() + " follows " + epochBefore);
    }
    epochs.put(lockId, row.epoch());
    checkSettled(lockId, row, log);
    checkCleared(lockId, row, log);
    checkRecorded(lockId, row, log);
    checkRunning(lockId, row);
    checkChain(row, log);
  }

  private static void checkChain(RecorderRow row, LogView log) {
    LogChain chain = log.chain(row.lastSlot());
    if (chain != null && !chain.equals(row.chain())) {
      throw new BrokenPromise(
          "the database has another chain than the contents of slots 1 to " + row.lastSlot());
    }
  }

  private void checkSettled(int lockId, RecorderRow row, LogView log) {
    long checked = checkedSlots.getOrDefault(lockId, 0L);
    if (row.lastSlot() < checked) {
      throw new BrokenPromise("slot " + checked + " was settled, now it is " + row.lastSlot());
    }
    if (row.lastSlot() > checked && row.settledBy() != row.epoch()) {
      throw new BrokenPromise(
          "slot "
              + row.lastSlot()
              + " was settled by epoch "
              + row.settledBy()
              + ", not by "
              + row.epoch());
    }
    for (long slot = checked + 1; slot <= row.lastSlot(); slot++) {
      String hash = log.hash(slot);
      if (hash == null) {
        throw new BrokenPromise("slot " + slot + " is settled and not in the store");
      }
      if (!database.tables().slots.containsKey(new SlotRow.Key(lockId, slot, hash))) {
        throw new BrokenPromise("slot " + slot + " is settled and was never planned");
      }
    }
    checkedSlots.put(lockId, row.lastSlot());
  }

  /** Whatever is not in the table any more is in the log. */
  private void checkCleared(int lockId, RecorderRow row, LogView log) {
    List<HandoffTable.Cleared> cleared = database.handoff(lockId).cleared;
    int seen = clearedSeen.getOrDefault(lockId, 0);
    for (HandoffTable.Cleared leaf : cleared.subList(seen, cleared.size())) {
      if (!leaf.inForce()) {
        throw new BrokenPromise("a leaf was emptied in a term that was over when that began");
      }
      for (StoredRow stored : leaf.rows()) {
        Long slot = log.slotOf(stored.line());
        if (slot == null || slot > row.lastSlot()) {
          throw new BrokenPromise(
              "a row was cleared that is not in slots 1 to "
                  + row.lastSlot()
                  + ": "
                  + stored.line());
        }
      }
    }
    clearedSeen.put(lockId, cleared.size());
  }

  private void checkRecorded(int lockId, RecorderRow row, LogView log) {
    HandoffTable table = database.handoff(lockId);
    Compared now =
        new Compared(
            row.position(),
            row.lastSlot(),
            table.rows.size(),
            table.cleared.size(),
            table.exclusions.size(),
            log.changes());
    if (now.equals(compared.put(lockId, now))) {
      return;
    }
    for (StoredRow stored : table.rows.values()) {
      boolean missed = table.missedByTheIndex.contains(stored.place());
      if (!missed && isRecorded(stored, row.position(), table)) {
        Long slot = log.slotOf(stored.line());
        if (slot == null || slot > row.lastSlot()) {
          throw new BrokenPromise(
              "the database takes a row for recorded that is not in slots 1 to "
                  + row.lastSlot()
                  + ": "
                  + stored.line());
        }
      }
    }
  }

  private void checkRunning(int lockId, RecorderRow row) {
    for (ProducerTransaction running : database.tables().running.values()) {
      boolean passedOver = row.position().done().sees(running.xid);
      if (passedOver && running.rows.stream().anyMatch(pending -> pending.lockId() == lockId)) {
        throw new BrokenPromise("a running transaction is taken for recorded: " + running.xid);
      }
    }
  }

  static boolean isRecorded(StoredRow stored, Position position, HandoffTable table) {
    RowId place = stored.place();
    Snapshot open = position.open();
    boolean inOpenWindow =
        open != null
            && open.sees(place.xid())
            && place.compareTo(new RowId(position.openXid(), position.openId())) <= 0;
    return position.done().sees(place.xid()) || inOpenWindow || table.exclusions.containsKey(place);
  }

  /** A committed row that is not in the log, or not known to be; null if there is none. */
  @Nullable String firstUnrecorded(boolean losesHistory) {
    for (Map.Entry<Integer, LogView> log : logs.entrySet()) {
      RecorderRow row = database.recorder(log.getKey());
      HandoffTable table = database.handoff(log.getKey());
      for (StoredRow stored : table.rows.values()) {
        boolean missed = table.missedByTheIndex.contains(stored.place());
        if (!missed
            && (!isRecorded(stored, row.position(), table)
                || log.getValue().slotOf(stored.line()) == null)) {
          return stored.line();
        }
      }
      // After a loss of history a late object may hold rows that only the lost history had; it is
      // adopted when there are rows to write.
      long loose = log.getValue().slots() - row.lastSlot();
      if (loose > (losesHistory ? 1 : 0)) {
        return "slot " + log.getValue().slots() + ", the database knows " + row.lastSlot();
      }
    }
    return null;
  }
}
