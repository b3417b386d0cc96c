package dev.recorder.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.recorder.simulation.servers.Mutation;
import java.util.List;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Many seeds, each a run of its own. {@code -Dsimulation.runs=<n>} sets how many of each profile,
 * {@code -Dsimulation.profile=<name> -Dsimulation.seed=<n>} repeats one.
 */
class SimulationTest {
  private static final int RUNS = Integer.getInteger("simulation.runs", 10);

  @Test
  void everyPromiseHoldsThroughEveryMixOfFaults() {
    runSeeds(Profile::ofSeed);
  }

  @Test
  void everyPromiseHoldsWhenWritersMeetAtTheSameSlot() {
    runSeeds(Profile::zombies);
  }

  @Test
  void everyPromiseHoldsWhenStatementsArriveLate() {
    runSeeds(Profile::lateStatements);
  }

  @Test
  void rowsThatADatabaseStillHasAreRecordedOnceAfterItHasLostHistory() {
    runSeeds(Profile::losingHistory);
  }

  @Test
  void rowsThatADatabaseStillHasAreRecordedOnceAfterManyFailovers() {
    runSeeds(Profile::rewinds);
  }

  @Test
  void rowsThatADatabaseStillHasAreRecordedOnceAfterTwoServersWereThePrimary() {
    runSeeds(Profile::splitBrains);
  }

  @Test
  void everyPromiseHoldsWhileOperatorsMoveRecordersAndDrainMachines() {
    runSeeds(Profile::orders);
  }

  @Test
  void everyPromiseHoldsWhileRecordedRowsAreCleared() {
    runSeeds(Profile::clearing);
  }

  @Test
  void everyPromiseHoldsWhenADatabaseIsRestoredToMomentsAroundAClearing() {
    runSeeds(Profile::clearingAndRewinding);
  }

  @Test
  void everyPromiseHoldsWhenTwoServersAreThePrimaryAndBothAreCleared() {
    runSeeds(Profile::clearingInSplitBrains);
  }

  @Test
  void theSameSeedGivesTheSameRun() {
    assertThat(traceOf(7, 0)).isEqualTo(traceOf(7, 0)).isNotEqualTo(traceOf(8, 0));
    assertThat(clearingTraceOf(7)).isEqualTo(clearingTraceOf(7)).isNotEqualTo(clearingTraceOf(8));
  }

  @Test
  void onlyDifferencesOfMonotonicTimeMatter() {
    for (long seed = 1; seed <= 5; seed++) {
      assertThat(traceOf(seed, Long.MAX_VALUE / 3)).isEqualTo(traceOf(seed, 0));
    }
  }

  private static long traceOf(long seed, long clockShift) {
    return new Simulation(seed, Profile.ofSeed(seed), Mutation.NONE, clockShift).run().traceHash();
  }

  private static long clearingTraceOf(long seed) {
    return new Simulation(seed, Profile.clearing(seed), Mutation.NONE).run().traceHash();
  }

  private static void runSeeds(LongFunction<Profile> profiles) {
    String profile = profiles.apply(1).name();
    String onlyProfile = System.getProperty("simulation.profile", profile);
    assumeTrue(profile.equals(onlyProfile), "another profile is asked for");
    Long only = Long.getLong("simulation.seed");
    long first = only == null ? 1 : only;
    long last = only == null ? RUNS : only;
    // Runs know nothing of each other: as many at a time as there are processors.
    List<Simulation.Outcome> outcomes =
        LongStream.rangeClosed(first, last)
            .parallel()
            .mapToObj(seed -> new Simulation(seed, profiles.apply(seed), Mutation.NONE).run())
            .toList();
    long steps = outcomes.stream().mapToLong(Simulation.Outcome::steps).sum();
    long cleared = outcomes.stream().mapToLong(Simulation.Outcome::cleared).sum();
    System.out.println(
        "%s: %d runs, %d steps, %d leaves cleared"
            .formatted(profile, outcomes.size(), steps, cleared));
    assertThat(cleared > 0).isEqualTo(profiles.apply(1).clears());
  }
}
