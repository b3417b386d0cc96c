package dev.recorder.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;

/**
 * Many seeds, each a run of its own. {@code -Dsimulation.runs=<n>} sets how many, {@code
 * -Dsimulation.seed=<n>} repeats one.
 */
class SimulationTest {
  private static final int RUNS = Integer.getInteger("simulation.runs", 300);

  @Test
  void everyPromiseHoldsThroughEveryFault() {
    runSeeds(Profile::ofSeed);
  }

  @Test
  void everyRowThatADatabaseStillHasIsInExactlyOneObjectAfterHistoryIsLost() {
    runSeeds(Profile::losingHistory);
  }

  @Test
  void theSameSeedGivesTheSameRun() {
    assertThat(traceOf(7)).isEqualTo(traceOf(7)).isNotEqualTo(traceOf(8));
  }

  private static long traceOf(long seed) {
    return new Simulation(seed, Profile.ofSeed(seed), Mutation.NONE).run().traceHash();
  }

  private static void runSeeds(LongFunction<Profile> profiles) {
    Long only = Long.getLong("simulation.seed");
    long first = only == null ? 1 : only;
    long last = only == null ? RUNS : only;
    long steps = 0;
    for (long seed = first; seed <= last; seed++) {
      steps += new Simulation(seed, profiles.apply(seed), Mutation.NONE).run().steps();
    }
    System.out.println((last - first + 1) + " runs, " + steps + " steps");
  }
}
