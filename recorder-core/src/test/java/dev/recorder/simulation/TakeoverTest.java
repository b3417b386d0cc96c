package dev.recorder.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.leadership.TakeoverReason;
import dev.recorder.simulation.servers.Mutation;
import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** How long it takes until somebody else writes, in virtual time and on quick networks. */
class TakeoverTest {
  /** Each at another moment of one beat. */
  private static final int SEEDS = 12;

  private static final Duration START = Duration.ofSeconds(3);
  private static final Duration LIMIT = Duration.ofSeconds(20);

  @Test
  void aKilledMachineIsSucceededWithinASecond() {
    assertThat(slowestTakeover(machine -> machine.kill(true), TakeoverReason.DIED))
        .isLessThan(Duration.ofSeconds(1));
  }

  @Test
  void aMachineThatStandsStillIsSucceededAfterItsSilence() {
    assertThat(slowestTakeover(SimulatedMachine::pause, TakeoverReason.SILENT))
        .isBetween(Duration.ofMillis(1_900), Duration.ofMillis(2_300));
  }

  @Test
  void aMachineWithoutPowerIsSucceededAfterItsSilence() {
    assertThat(slowestTakeover(machine -> machine.kill(false), TakeoverReason.SILENT))
        .isBetween(Duration.ofMillis(1_900), Duration.ofMillis(2_300));
  }

  @Test
  void aMachineThatIsCutFromTheDatabaseIsSucceededAfterItsSilence() {
    assertThat(slowestTakeover(SimulatedMachine::cutDatabase, TakeoverReason.SILENT))
        .isBetween(Duration.ofMillis(1_900), Duration.ofMillis(2_300));
  }

  @Test
  void aMachineThatStopsHandsOverWithinASecond() {
    assertThat(
            slowestTakeover(
                machine -> machine.run(machine.running(), machine.running()::stop),
                TakeoverReason.RELEASED))
        .isLessThan(Duration.ofSeconds(1));
  }

  @Test
  void aPauseOfASecondChangesNothing() {
    for (long seed = 1; seed <= SEEDS; seed++) {
      Simulation simulation = started(seed);
      SimulatedMachine active = simulation.world().activeMachine();
      active.pause();
      long second = Duration.ofSeconds(1).toNanos();
      simulation.runUntil(simulation.world().time.now() + second);
      active.resume();
      simulation.runUntil(simulation.world().time.now() + 4 * second);

      assertThat(simulation.world().database().recorder(1).epoch()).isEqualTo(1);
    }
  }

  @Test
  void jumpsOfTheWallClockChangeNothing() {
    for (long seed = 1; seed <= SEEDS; seed++) {
      Simulation simulation = started(seed);
      for (int jump = -2; jump <= 2; jump++) {
        simulation.world().database().jumpClock(Duration.ofHours(jump));
        simulation.runUntil(simulation.world().time.now() + Duration.ofSeconds(1).toNanos());
      }

      assertThat(simulation.world().database().tables().takeovers).hasSize(1);
    }
  }

  private static Simulation started(long seed) {
    Simulation simulation = new Simulation(seed, Profile.CALM, Mutation.NONE);
    simulation.begin();
    // Each seed at another moment between two beats.
    simulation.runUntil(START.toNanos() + seed * Duration.ofMillis(43).toNanos());
    assertThat(simulation.world().database().recorder(1).lastSlot()).isPositive();
    return simulation;
  }

  private static Duration slowestTakeover(Consumer<SimulatedMachine> blow, TakeoverReason reason) {
    Duration slowest = Duration.ZERO;
    for (long seed = 1; seed <= SEEDS; seed++) {
      Duration taken = takeover(started(seed), blow, reason);
      slowest = taken.compareTo(slowest) > 0 ? taken : slowest;
    }
    System.out.println(reason + " after " + slowest.toMillis() + " ms at most");
    return slowest;
  }

  /** Until the successor has settled a slot. */
  private static Duration takeover(
      Simulation simulation, Consumer<SimulatedMachine> blow, TakeoverReason reason) {
    World world = simulation.world();
    blow.accept(world.activeMachine());
    simulation.producers().writeOne();
    long struck = world.time.now();
    while (world.database().recorder(1).settledBy() == 1) {
      simulation.stepOnce(struck + LIMIT.toNanos());
      assertThat(world.time.now() - struck).isLessThan(LIMIT.toNanos());
    }
    assertThat(world.database().recorder(1).epoch()).isEqualTo(2);
    assertThat(world.database().tables().takeovers.get(1).reason()).isEqualTo(reason);
    return Duration.ofNanos(world.time.now() - struck);
  }
}
