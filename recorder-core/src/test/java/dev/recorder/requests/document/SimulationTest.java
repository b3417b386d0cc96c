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
    int completed = 0;
    int found = 0;
    int lostCommits = 0;
    int zombieSteps = 0;
    int latePuts = 0;
    for (long seed = 1; seed <= RUNS; seed++) {
      Simulation.Statistics run = run(seed, Mutation.NONE);
      completed += run.completed;
      found += run.found;
      lostCommits += run.lostCommits;
      zombieSteps += run.zombieSteps;
      latePuts += run.latePuts;
    }
    // What is not tried is not tested.
    assertThat(completed).isGreaterThan(3 * RUNS);
    assertThat(found).isGreaterThan(RUNS / 2);
    assertThat(lostCommits).isGreaterThan(RUNS / 2);
    assertThat(zombieSteps).isGreaterThan(RUNS);
    assertThat(latePuts).isGreaterThan(RUNS / 2);
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

  private static Simulation.Statistics run(long seed, Mutation mutation) {
    try {
      return new Simulation(seed, mutation).run();
    } catch (AssertionError broken) {
      throw new AssertionError("seed " + seed + ": " + broken.getMessage(), broken);
    }
  }

  private static String firstLine(Throwable failure) {
    return String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
  }
}
