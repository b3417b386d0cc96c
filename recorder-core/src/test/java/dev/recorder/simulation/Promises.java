package dev.recorder.simulation;

import dev.recorder.handoff.Position;
import dev.recorder.handoff.Snapshot;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What must hold after every step, whatever has happened. */
final class Promises {
  private final World world;
  private final Map<Integer, LogView> logs = new TreeMap<>();
  private final Map<Integer, Long> epochs = new HashMap<>();
  private final Map<Integer, Long> checkedSlots = new HashMap<>();
  private int changesSeen;
  private long versionSeen = -1;

  Promises(World world, Producers producers) {
    this.world = world;
    boolean ordered = !world.profile.losesHistory();
    world.layouts.forEach(
        (lockId, layout) -> logs.put(lockId, new LogView(layout, producers, ordered)));
  }

  void check() {
    checkStore();
    long version = world.database.version();
    if (version != versionSeen) {
      versionSeen = version;
      world.layouts.keySet().forEach(this::checkDatabase);
    }
    world.layouts.keySet().forEach(this::checkLeaders);
  }

  private void checkStore() {
    List<FakeStore.Change> changes = world.store.changes();
    while (changesSeen < changes.size()) {
      FakeStore.Change change = changes.get(changesSeen++);
      world.layouts.forEach(
          (lockId, layout) -> {
            if (change.key().startsWith(layout.folder())) {
              log(lockId).apply(change);
            }
          });
    }
  }

  private LogView log(int lockId) {
    LogView log = logs.get(lockId);
    if (log == null) {
      throw new IllegalArgumentException("no recorder " + lockId);
    }
    return log;
  }

  private void checkDatabase(int lockId) {
    RecorderRow row = world.database.recorder(lockId);
    long epochBefore = epochs.getOrDefault(lockId, 0L);
    if (row.epoch() < epochBefore) {
      throw new BrokenPromise("epoch " + row.epoch() + " follows " + epochBefore);
    }
    epochs.put(lockId, row.epoch());
    checkSettled(lockId, row);
    HandoffTable table = world.database.handoff(lockId);
    for (StoredRow stored : table.rows.values()) {
      if (isRecorded(stored, row.position(), table)) {
        Long slot = log(lockId).slotOf(stored.line());
        if (slot == null || slot > row.lastSlot()) {
          throw new BrokenPromise(
              "the database takes a row for recorded that is not in slots 1 to "
                  + row.lastSlot()
                  + ": "
                  + stored.line());
        }
      }
    }
    for (ProducerTransaction running : world.database.tables().running.values()) {
      boolean passedOver = row.position().done().sees(running.xid);
      if (passedOver && running.rows.stream().anyMatch(pending -> pending.lockId() == lockId)) {
        throw new BrokenPromise("a running transaction is taken for recorded: " + running.xid);
      }
    }
  }

  private void checkSettled(int lockId, RecorderRow row) {
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
      String hash = log(lockId).hash(slot);
      if (hash == null) {
        throw new BrokenPromise("slot " + slot + " is settled and not in the store");
      }
      if (!world.database.tables().slots.containsKey(new SlotRow.Key(lockId, slot, hash))) {
        throw new BrokenPromise("slot " + slot + " is settled and was never planned");
      }
    }
    checkedSlots.put(lockId, row.lastSlot());
  }

  private static boolean isRecorded(StoredRow stored, Position position, HandoffTable table) {
    RowId place = stored.place();
    Snapshot open = position.open();
    boolean inOpenWindow =
        open != null
            && open.sees(place.xid())
            && place.compareTo(new RowId(position.openXid(), position.openId())) <= 0;
    return position.done().sees(place.xid()) || inOpenWindow || table.exclusions.containsKey(place);
  }

  /** Leadership promises nothing that safety needs; but only one session can hold the lock. */
  private void checkLeaders(int lockId) {
    int withLease = 0;
    int withLock = 0;
    @Nullable FakeSession holder = world.database.lockHolder(FakeControlSession.lockOf(lockId));
    for (SimulatedMachine machine : world.machines) {
      SimulatedProcess process = machine.process();
      if (process != null && process.writer(lockId) != null && process.lease().isAlive()) {
        withLease++;
        withLock += holder != null && process.control().session() == holder ? 1 : 0;
      }
    }
    world.statistics.writersWithLease(withLease);
    if (withLock > 1) {
      throw new BrokenPromise("two writers with lease and lock of recorder " + lockId);
    }
  }

  /** The database is not what it was: what was learned of it may be seen again. */
  void databaseWentBack() {
    epochs.clear();
    world
        .layouts
        .keySet()
        .forEach(lockId -> checkedSlots.put(lockId, world.database.recorder(lockId).lastSlot()));
  }

  /**
   * After a crash on the same history: whatever is in the log must have been made durable before.
   */
  void checkLogIsInDatabase() {
    world.layouts.keySet().forEach(this::checkLogIsInDatabase);
  }

  private void checkLogIsInDatabase(int lockId) {
    Map<String, Boolean> known = new HashMap<>();
    world.database.handoff(lockId).rows.values().forEach(row -> known.put(row.line(), true));
    for (String line : log(lockId).lines()) {
      if (!known.containsKey(line)) {
        throw new BrokenPromise("a row is in the log and was lost by the database: " + line);
      }
    }
  }

  /** Whether every committed row is in the log, and the database knows it. */
  boolean allIsRecorded() {
    return firstUnrecorded() == null;
  }

  long settledSlots() {
    return world.layouts.keySet().stream()
        .mapToLong(lockId -> world.database.recorder(lockId).lastSlot())
        .sum();
  }

  @Nullable String firstUnrecorded() {
    for (int lockId : world.layouts.keySet()) {
      RecorderRow row = world.database.recorder(lockId);
      HandoffTable table = world.database.handoff(lockId);
      for (StoredRow stored : table.rows.values()) {
        if (!isRecorded(stored, row.position(), table)
            || log(lockId).slotOf(stored.line()) == null) {
          return stored.line();
        }
      }
      // After a loss of history a late object may hold rows that only the lost history had; it is
      // adopted when there are rows to write.
      long loose = log(lockId).slots() - row.lastSlot();
      if (loose > (world.profile.losesHistory() ? 1 : 0)) {
        return "slot " + log(lockId).slots() + ", the database knows " + row.lastSlot();
      }
    }
    return null;
  }
}
