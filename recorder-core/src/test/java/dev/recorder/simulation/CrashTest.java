package dev.recorder.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.simulation.servers.Mutation;
import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** One plain story, told as often as it has steps: each time something befalls another step. */
class CrashTest {
  private static final long SEED = 3;
  private static final long MILLI = 1_000_000;

  /** Steps before anybody is active say nothing about a writer. */
  private static final long PROLOGUE = 400 * MILLI;

  private static final long STORY = PROLOGUE + 500 * MILLI;

  @Test
  void theActiveMachineMayBeKilledAtEveryStep() {
    atEveryStep(machine -> machine.kill(true), Duration.ofSeconds(1));
  }

  @Test
  void theActiveMachineMayLosePowerAtEveryStep() {
    atEveryStep(machine -> machine.kill(false), Duration.ofSeconds(4));
  }

  @Test
  void theActiveMachineMayStandStillAtEveryStep() {
    atEveryStep(SimulatedMachine::pause, Duration.ofSeconds(3));
  }

  @Test
  void theActiveMachineMayBeCutFromTheDatabaseAtEveryStep() {
    atEveryStep(SimulatedMachine::cutDatabase, Duration.ofSeconds(3));
  }

  @Test
  void theActiveMachineMayBeCutFromTheStoreAtEveryStep() {
    atEveryStep(SimulatedMachine::cutStore, Duration.ofSeconds(1));
  }

  @Test
  void theDatabaseMayRestartAtEveryStep() {
    atEveryStep(machine -> machine.world.database().crash(), Duration.ofSeconds(1));
  }

  /**
   * Tells the story once for each of its steps.
   *
   * @param blow what befalls the active machine
   * @param after how long it lasts until all is mended
   */
  private static void atEveryStep(Consumer<SimulatedMachine> blow, Duration after) {
    long steps = stepsOfTheStory();
    assertThat(steps).isGreaterThan(100);
    for (long step = 1; step <= steps; step++) {
      Simulation simulation = new Simulation(SEED, Profile.CALM, Mutation.NONE);
      long fatal = step;
      simulation.runWith(
          () -> {
            begin(simulation);
            for (long i = 0; i < fatal; i++) {
              simulation.stepOnce(STORY);
            }
            blow.accept(simulation.world().activeMachine());
            simulation.runUntil(simulation.world().time.now() + after.toNanos());
            simulation.settle();
          });
    }
  }

  private static void begin(Simulation simulation) {
    simulation.begin();
    simulation.runUntil(PROLOGUE);
  }

  private static long stepsOfTheStory() {
    Simulation simulation = new Simulation(SEED, Profile.CALM, Mutation.NONE);
    begin(simulation);
    long before = simulation.world().time.stepsTaken();
    simulation.runUntil(STORY);
    return simulation.world().time.stepsTaken() - before;
  }
}
