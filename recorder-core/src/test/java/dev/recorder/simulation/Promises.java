package dev.recorder.simulation;

import dev.recorder.simulation.servers.FakeDatabase;
import dev.recorder.simulation.servers.FakeSession;
import dev.recorder.simulation.servers.FakeStore;
import dev.recorder.simulation.servers.HandoffTable;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What must hold after every step, whatever has happened. */
final class Promises {
  private final World world;
  private final Map<Integer, LogView> logs = new TreeMap<>();
  private final Map<FakeDatabase, DatabaseWatch> databases = new HashMap<>();
  private int changesSeen;

  Promises(World world, Producers producers) {
    this.world = world;
    boolean ordered = !world.profile.losesHistory();
    world.layouts.forEach(
        (lockId, layout) ->
            logs.put(lockId, new LogView(layout, world.log(lockId), producers, ordered)));
  }

  void check() {
    checkStore();
    world.servers.all().forEach(database -> watch(database).check());
    world.layouts.keySet().forEach(this::checkLeaders);
  }

  private DatabaseWatch watch(FakeDatabase database) {
    return databases.computeIfAbsent(database, unknown -> new DatabaseWatch(unknown, logs));
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

  /** Leadership promises nothing that safety needs; but only one session can hold a lock. */
  private void checkLeaders(int lockId) {
    Set<FakeDatabase> locked = new HashSet<>();
    for (SimulatedMachine machine : world.machines) {
      SimulatedProcess process = machine.process();
      if (process != null && process.writer(lockId) != null && process.lease().isAlive()) {
        FakeSession session = process.control().session();
        if (session != null && session.holdsLock(lockId) && !locked.add(session.database())) {
          throw new BrokenPromise("two writers with lease and lock of recorder " + lockId);
        }
      }
    }
  }

  /** The database has gone back in time. */
  void databaseWentBack(FakeDatabase database) {
    watch(database).begin();
  }

  /** After a crash on the same history: whatever is in the log must have been durable before. */
  void checkLogIsInDatabase() {
    world.layouts.keySet().forEach(this::checkLogIsInDatabase);
  }

  private void checkLogIsInDatabase(int lockId) {
    Set<String> known = new HashSet<>();
    HandoffTable table = world.database().handoff(lockId);
    table.rows.values().forEach(row -> known.add(row.line()));
    table.cleared.forEach(leaf -> leaf.rows().forEach(row -> known.add(row.line())));
    for (String line : log(lockId).lines()) {
      if (!known.contains(line)) {
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
        .mapToLong(lockId -> world.database().recorder(lockId).lastSlot())
        .sum();
  }

  @Nullable String firstUnrecorded() {
    return watch(world.database()).firstUnrecorded(world.profile.losesHistory());
  }
}
