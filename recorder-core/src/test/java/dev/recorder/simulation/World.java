package dev.recorder.simulation;

import dev.recorder.handoff.RecorderName;
import dev.recorder.simulation.servers.FakeDatabase;
import dev.recorder.simulation.servers.FakeStore;
import dev.recorder.simulation.servers.Mutation;
import dev.recorder.simulation.servers.Servers;
import dev.recorder.simulation.time.Chance;
import dev.recorder.simulation.time.Fiber;
import dev.recorder.simulation.time.Trace;
import dev.recorder.simulation.time.VirtualTime;
import dev.recorder.slotlog.Compression;
import dev.recorder.slotlog.LogLayout;
import dev.recorder.slotlog.Rotation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/** Everything there is in a run. */
final class World {
  private static final long LARGE_LEAF = 64L << 20;
  private static final long MILLI = 1_000_000;

  final Profile profile;
  final Mutation mutation;
  final long clockShift;
  final Trace trace = new Trace();
  final Chance chance;
  final VirtualTime time;
  final Servers servers;
  final FakeStore store;
  final Orphans orphans;
  final Latecomers latecomers;
  final Map<Integer, LogLayout> layouts = new TreeMap<>();

  /** Leaves that were emptied. */
  int cleared;

  final long lingerMillis;
  final Rotation rotation;
  private final Chance clearingChance;
  private final long bytesPerRow;
  private final List<Fiber> fibers = new ArrayList<>();
  private boolean troubled = true;
  final List<SimulatedMachine> machines = new ArrayList<>();

  World(long seed, Profile profile, Mutation mutation, long clockShift) {
    this.profile = profile;
    this.mutation = mutation;
    this.clockShift = clockShift;
    this.chance = new Chance(seed);
    this.time = new VirtualTime(trace, chance.split(), profile.jumble().toNanos());
    this.servers = new Servers(time::now);
    this.orphans = new Orphans(time, chance.split());
    this.store = new FakeStore(mutation == Mutation.PLAIN_PUT);
    this.lingerMillis = chance.between(20, 500);
    this.rotation = new Rotation(2 + chance.below(chance.hit(0.5) ? 2 : 10), 10_000);
    Compression compression = chance.hit(0.1) ? Compression.GZIP : Compression.NONE;
    this.clearingChance = new Chance(~seed);
    this.latecomers = new Latecomers(time, clearingChance);
    this.bytesPerRow = LARGE_LEAF / clearingChance.between(2, 25) + 1;
    for (int lockId = 1; lockId <= profile.recorders(); lockId++) {
      database().createRecorder(lockId, log(lockId));
      layouts.put(
          lockId, new LogLayout("", "bucket", "", new RecorderName("r" + lockId), compression));
    }
    for (int i = 0; i < profile.machines(); i++) {
      machines.add(new SimulatedMachine(this, String.valueOf((char) ('a' + i)), i == 0));
    }
  }

  /** The primary, as those see it who know. */
  FakeDatabase database() {
    return servers.current();
  }

  /** The machine that holds recorder 1, or the first if nobody does. */
  SimulatedMachine activeMachine() {
    String holder = database().recorder(1).holder();
    return machines.get(holder == null ? 0 : holder.charAt(0) - 'a');
  }

  LogLayout layout(int lockId) {
    LogLayout layout = layouts.get(lockId);
    if (layout == null) {
      throw new IllegalArgumentException("no recorder " + lockId);
    }
    return layout;
  }

  UUID log(int lockId) {
    return new UUID(0, lockId);
  }

  /** Whether requests get into trouble now; not any more once the run comes to its end. */
  boolean isTroubled() {
    return troubled;
  }

  void endTrouble() {
    troubled = false;
  }

  /** What a row takes of a leaf, so that one is large soon. */
  long bytesPerRow() {
    return bytesPerRow;
  }

  /** What is drawn for clearing alone: runs without it stay what they were. */
  Chance clearingChance() {
    return clearingChance;
  }

  long clearingPause() {
    return clearingChance.between(20, 250) * MILLI;
  }

  /** One that ends with the run at the latest. */
  Fiber fiber() {
    Fiber fiber = new Fiber();
    fibers.add(fiber);
    return fiber;
  }

  void endFibers() {
    fibers.forEach(Fiber::cancel);
  }

  /** How long after a decision it is acted upon: as a rule at once, but the JVM may stand still. */
  long hesitation() {
    return isTroubled() && chance.hit(Math.min(0.02, profile.trouble() / 5))
        ? chance.between(0, 5_000_000_000L)
        : chance.between(0, 50_000);
  }

  /** Mostly short, now and then long: each order of events must have a chance. */
  long latency(long typicalNanos) {
    double kind = chance.between(0, 1_000) / 1_000.0;
    if (kind < 0.9 || profile.isCalm()) {
      return chance.between(typicalNanos / 10, typicalNanos);
    }
    return kind < 0.99
        ? chance.between(typicalNanos, 10 * typicalNanos)
        : chance.between(10 * typicalNanos, 100 * typicalNanos);
  }
}
