package dev.recorder.clearing.race;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.clearing.race.Journal.Met;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every committed row is recorded once, however producers, clearers, terms and the ends of sessions
 * meet; and a step of clearing that is left out is noticed. {@code -Dclearing.rounds=} for more
 * rounds, {@code -Dclearing.seed=} for what is drawn; what meets what it does not decide.
 */
@Tag("nightly")
class ClearingRaceIT {
  private static final int ROUNDS = Integer.getInteger("clearing.rounds", 250);

  /** How often each race must have been met. */
  private static final long LEAST = Math.max(1, ROUNDS / 250);

  private static final int BROKEN_ROUNDS = 25;
  private static final int MOST_TRIES = 50;
  private static final long SEED = Long.getLong("clearing.seed", System.nanoTime());

  @Test
  void nothingIsLostOrDoubledHoweverClearingMeetsProducers() throws Exception {
    try (Race race = new Race(Breakage.NONE).untilMet(LEAST)) {
      Race.Outcome outcome = race.run(ROUNDS, SEED);

      Map<Met, Long> met = race.journal.counts();
      System.out.printf(
          "figure: clearing raced: seed %d, %d rounds, %d rows, longest insert with an id drawn"
              + " early %d ms%n",
          SEED, ROUNDS, outcome.committed(), race.journal.longestInsertMillis());
      met.forEach(
          (what, times) -> System.out.println("figure: clearing raced: " + what + " " + times));
      assertThat(outcome).as("seed " + SEED).matches(Race.Outcome::isSound);
      assertThat(met)
          .as("a race that was never run proves nothing")
          .allSatisfy(
              (what, times) -> assertThat(times).as(what.name()).isGreaterThanOrEqualTo(LEAST));
    }
  }

  @ParameterizedTest(name = "{0} is caught")
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void aStepThatIsBrokenIsNoticed(Breakage breakage) throws Exception {
    for (int tries = 1; tries <= MOST_TRIES; tries++) {
      try (Race race = new Race(breakage)) {
        Race.Outcome outcome = race.run(BROKEN_ROUNDS, SEED + tries);
        if (!outcome.isSound()) {
          System.out.println(breakage + ": caught in try " + tries + ": " + brief(outcome));
          return;
        }
      }
    }
    throw new AssertionError(breakage + " was not noticed in " + MOST_TRIES + " tries");
  }

  private static String brief(Race.Outcome outcome) {
    return "%d of %d rows lost, %d doubled, first fault: %s"
        .formatted(
            outcome.lost().size(),
            outcome.committed(),
            outcome.doubled().size(),
            outcome.faults().stream().findFirst().orElse("none"));
  }
}
