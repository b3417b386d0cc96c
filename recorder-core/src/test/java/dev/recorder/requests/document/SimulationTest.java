package dev.recorder.requests.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every request that is complete took effect once, whatever goes wrong; and a simulation that could
 * not tell otherwise would notice nothing.
 */
class SimulationTest {
  private static final int RUNS = Integer.getInteger("simulation.documents", 3_000);
  private static final int MOST_RUNS = 20_000;

  @Test
  void documentsAreWhatTheTableSaysWhateverGoesWrong() {
    Simulation.Statistics all = new Simulation.Statistics();
    for (long seed = 1; seed <= RUNS; seed++) {
      run(seed, Mutation.NONE, all);
    }
    // What is not tried is not tested.
    assertThat(all.completed).isGreaterThan(3 * RUNS);
    assertThat(all.found).isGreaterThan(RUNS / 2);
    assertThat(all.lostCommits).isGreaterThan(RUNS / 2);
    assertThat(all.zombieSteps).isGreaterThan(RUNS);
    assertThat(all.latePuts).isGreaterThan(RUNS / 2);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void everyBrokenRuleIsNoticed(Mutation mutation) {
    for (long seed = 1; seed <= MOST_RUNS; seed++) {
      try {
        run(seed, mutation);
      } catch (AssertionError broken) {
        assertThat(broken).hasRootCauseInstanceOf(Simulation.BrokenPromise.class);
        System.out.println(mutation + ": noticed by run " + seed + ": " + firstLine(broken));
        run(seed, Mutation.NONE); // is fine: it is the mutation that was noticed
        return;
      }
    }
    throw new AssertionError(mutation + " was not noticed in " + MOST_RUNS + " runs");
  }

  @Test
  void aFailureTellsTheSeedAndTheStory() {
    assertThatThrownBy(
            () -> {
              for (long seed = 1; seed <= MOST_RUNS; seed++) {
                run(seed, Mutation.NO_IF_MATCH);
              }
            })
        .hasMessageContaining("seed")
        .hasMessageContaining("inserted");
  }

  private static void run(long seed, Mutation mutation) {
    run(seed, mutation, new Simulation.Statistics());
  }

  private static void run(long seed, Mutation mutation, Simulation.Statistics statistics) {
    try {
      new Simulation(seed, mutation, statistics).run();
    } catch (AssertionError broken) {
      throw new AssertionError("seed " + seed + ": " + broken.getMessage(), broken);
    }
  }

  private static String firstLine(Throwable failure) {
    return String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
  }
}
