package dev.recorder.simulation;

import dev.recorder.simulation.servers.FakeDatabase;
import dev.recorder.simulation.servers.RefusingStore;
import dev.recorder.simulation.time.Path;
import dev.recorder.simulation.time.VirtualTime;
import dev.recorder.store.ObjectStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A host: its network, its clock, and the process that runs on it, if it runs. */
final class SimulatedMachine {
  private static final long THAW = 200_000;

  final World world;
  final String name;
  final boolean primary;
  final Path toDatabase;
  final Path fromDatabase;
  final Path toStore;
  final Path fromStore;
  private final long clockOrigin;
  private final List<Runnable> frozen = new ArrayList<>();
  private @Nullable SimulatedProcess process;
  private FakeDatabase address;
  private boolean paused;

  SimulatedMachine(World world, String name, boolean primary) {
    this.world = world;
    this.name = name;
    this.primary = primary;
    this.address = world.database();
    this.toDatabase = path("→db");
    this.fromDatabase = path("←db");
    this.toStore = path("→s3");
    this.fromStore = path("←s3");
    // Any origin will do for monotonic time; one that overflows during the run shows who compares.
    this.clockOrigin =
        world.chance.hit(0.3) ? Long.MAX_VALUE - 5_000_000_000L : world.chance.between(-9, 9) << 40;
  }

  private Path path(String direction) {
    return new Path(name + direction, world.time, world.chance);
  }

  /** The server that new connections of this host go to. */
  FakeDatabase address() {
    return address;
  }

  /** The host learns which server is the primary now. */
  void learnAddress() {
    address = world.database();
  }

  /** This host's monotonic time. */
  long nanos() {
    return clockOrigin + world.clockShift + world.time.now();
  }

  /** The store, for the one request that is made in the middle of another. */
  ObjectStore reachableStore() {
    return new ObjectStore() {
      private final RefusingStore refusing = new RefusingStore();

      private ObjectStore now() {
        return toStore.isCut() || fromStore.isCut() ? refusing : world.store;
      }

      @Override
      public PutAnswer putIfAbsent(String key, byte[] body, Map<String, String> metadata) {
        return now().putIfAbsent(key, body, metadata);
      }

      @Override
      public HeadAnswer head(String key) {
        return now().head(key);
      }

      @Override
      public GetAnswer get(String key) {
        return now().get(key);
      }
    };
  }

  @Nullable SimulatedProcess process() {
    return process;
  }

  /** The process, which must be there. */
  SimulatedProcess running() {
    if (process == null) {
      throw new IllegalStateException(name + " does not run");
    }
    return process;
  }

  boolean isRunning() {
    return process != null;
  }

  boolean isPaused() {
    return paused;
  }

  /** Starts the process, if none runs. */
  void start() {
    if (process == null) {
      process = new SimulatedProcess(this);
      process.start();
    }
  }

  /** The process is gone with all it knew; what it has sent goes its way. */
  void kill(boolean closesConnections) {
    SimulatedProcess killed = process;
    process = null;
    paused = false;
    frozen.clear();
    if (killed != null && closesConnections) {
      killed.closeConnections();
    }
  }

  void pause() {
    paused = true;
  }

  /** What came while it stood still is found in the order in which it came. */
  void resume() {
    paused = false;
    List<Runnable> thawed = List.copyOf(frozen);
    frozen.clear();
    long delay = 0;
    for (Runnable work : thawed) {
      delay += world.chance.between(0, THAW);
      world.time.after(delay, name + " thaws", work);
    }
  }

  /** Does {@code work} of {@code owner}: not before it is resumed, and never once it is gone. */
  void run(SimulatedProcess owner, Runnable work) {
    if (owner != process) {
      return;
    }
    if (paused) {
      frozen.add(() -> run(owner, work));
    } else {
      work.run();
    }
  }

  VirtualTime.Step later(SimulatedProcess owner, long delayNanos, String what, Runnable work) {
    return world.time.after(delayNanos, name + " " + what, () -> run(owner, work));
  }

  void cutDatabase() {
    toDatabase.cut();
    fromDatabase.cut();
  }

  void cutStore() {
    toStore.cut();
    fromStore.cut();
  }

  void heal() {
    List.of(toDatabase, fromDatabase, toStore, fromStore).forEach(Path::heal);
  }
}
