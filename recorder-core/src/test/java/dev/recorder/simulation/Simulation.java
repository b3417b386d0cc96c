package dev.recorder.simulation;

import dev.recorder.simulation.servers.FakeDatabase;
import dev.recorder.simulation.servers.Mutation;
import java.time.Duration;

/** One run: faults for a while, then none, and everything must have come right. */
final class Simulation {
  private static final long MILLI = 1_000_000;
  private static final long STANDSTILL = Duration.ofSeconds(15).toNanos();
  private static final long AFTERMATH = Duration.ofSeconds(10).toNanos();
  private static final long MOST_STEPS = 1_000_000;

  private final long seed;
  private final World world;
  private final Producers producers;
  private final Promises promises;
  private final FaultInjector faults;

  /** How a run went. */
  record Outcome(long steps, long traceHash, int cleared) {}

  Simulation(long seed, Profile profile, Mutation mutation) {
    this(seed, profile, mutation, 0);
  }

  /**
   * A run that has yet to begin.
   *
   * @param clockShift added to the origin of every machine's monotonic time
   */
  Simulation(long seed, Profile profile, Mutation mutation, long clockShift) {
    this.seed = seed;
    this.world = new World(seed, profile, mutation, clockShift);
    this.producers = new Producers(world);
    this.promises = new Promises(world, producers);
    this.faults = new FaultInjector(world, promises, producers);
  }

  World world() {
    return world;
  }

  Producers producers() {
    return producers;
  }

  /** Runs to the end. */
  Outcome run() {
    runWith(
        () -> {
          begin();
          runUntil(world.profile.length().toNanos());
          settle();
        });
    return outcome();
  }

  /** Tells a story with this run. Whatever goes wrong tells the seed and what happened last. */
  void runWith(Runnable story) {
    try {
      story.run();
    } catch (RuntimeException | AssertionError e) {
      throw new SimulationFailure(String.valueOf(e.getMessage()), report(), e);
    } finally {
      world.endFibers();
    }
  }

  void begin() {
    for (SimulatedMachine machine : world.machines) {
      world.time.after(
          world.chance.between(0, 300) * MILLI, "starts " + machine.name, machine::start);
    }
    producers.start();
    faults.start();
    endIdleSessions();
  }

  private void endIdleSessions() {
    world.servers.all().forEach(FakeDatabase::endIdleSessions);
    world.time.after(250 * MILLI, "idle sessions end", this::endIdleSessions);
  }

  void runUntil(long until) {
    while (stepOnce(until)) {}
  }

  /** One step, and a look at every promise. */
  boolean stepOnce(long until) {
    boolean stepped = world.time.step(until);
    promises.check();
    if (world.time.stepsTaken() > MOST_STEPS) {
      throw new BrokenPromise("something runs hot: " + MOST_STEPS + " steps");
    }
    return stepped;
  }

  /** Nothing goes wrong any more: all that was committed must get into the log, once. */
  void settle() {
    faults.end();
    world.endTrouble();
    producers.close();
    long slots = promises.settledSlots();
    long progressAt = world.time.now();
    while (!(producers.areDone() && promises.allIsRecorded())) {
      runUntil(world.time.now() + 100 * MILLI);
      if (promises.settledSlots() != slots) {
        slots = promises.settledSlots();
        progressAt = world.time.now();
      } else if (world.time.now() - progressAt > STANDSTILL) {
        throw new BrokenPromise(
            "nothing is wrong any more and nothing goes on; not recorded is "
                + promises.firstUnrecorded());
      }
    }
    // What is still on its way must do no harm.
    runUntil(world.time.now() + (world.profile.troubles().isEmpty() ? MILLI : AFTERMATH));
    if (!promises.allIsRecorded()) {
      throw new BrokenPromise("all was recorded, and then not: " + promises.firstUnrecorded());
    }
  }

  Outcome outcome() {
    return new Outcome(world.time.stepsTaken(), world.trace.hash(), world.cleared);
  }

  private String report() {
    String profile = world.profile.name();
    return "seed "
        + seed
        + " of profile '"
        + profile
        + "', mutation "
        + world.mutation
        + "\n"
        + world.profile
        + "\nrepeat it with: mvn -pl recorder-core test -Dtest=SimulationTest -Dsimulation.profile="
        + profile
        + " -Dsimulation.seed="
        + seed
        + " (-Dsimulation.trace=5000 for a longer trace)\n"
        + world.trace.tail();
  }
}
