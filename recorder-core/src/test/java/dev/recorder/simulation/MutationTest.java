package dev.recorder.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.simulation.servers.Mutation;
import java.util.function.LongFunction;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Breaks one rule of the protocol after the other and asks whether the simulator notices. What it
 * does not notice here it would not notice in the product either.
 */
class MutationTest {
  private static final int MOST_RUNS = 2_000;

  @ParameterizedTest(name = "{0} is caught")
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void aRuleThatIsBrokenIsNoticed(Mutation mutation) {
    assertCaught(mutation, profiles(mutation));
  }

  /** Under which the rule is needed soon. */
  private static LongFunction<Profile> profiles(Mutation mutation) {
    return switch (mutation) {
      case READ_WITHOUT_LAST_SLOT,
          ANY_WINDOW_BELIEVED,
          SESSION_CHANGED_UNNOTICED,
          PREPARED_ROWS_OVERLOOKED,
          CHAIN_KEPT_WITH_THE_POSITION ->
          Profile::rewinds;
      case ANY_SLOT_ADOPTED -> Profile::splitBrains;
      case SETTLE_WITHOUT_LAST_SLOT, CHAIN_KEPT_OVER_A_LOAD -> Profile::lateStatements;
      case DELETED_ABOVE_FLOOR -> Profile::ofSeed;
      case CLEARED_WITHOUT_SECOND_LOOK,
          CLEARED_BY_THE_INDEX,
          CLEARED_WITHOUT_LOCK,
          CLEARED_WITH_AN_OLD_EPOCH,
          CLEARED_BEFORE_THE_OBJECT ->
          Profile::clearing;
      default -> Profile::zombies;
    };
  }

  /**
   * What is rarely met is looked for where it was met soon: hundreds of runs before that would tell
   * nothing more. Any other seed does, too, in the end.
   */
  private static long firstSeed(Mutation mutation) {
    return switch (mutation) {
      case CLEARED_WITHOUT_LOCK -> 1_050;
      case CLEARED_WITH_AN_OLD_EPOCH -> 495;
      case CLEARED_WITHOUT_SECOND_LOOK -> 115;
      default -> 1;
    };
  }

  private static void assertCaught(Mutation mutation, LongFunction<Profile> profiles) {
    long first = firstSeed(mutation);
    for (long seed = first; seed < first + MOST_RUNS; seed++) {
      String broken = brokenPromise(new Simulation(seed, profiles.apply(seed), mutation));
      if (!broken.isEmpty()) {
        System.out.println(mutation + ": caught by run " + seed + ": " + broken);
        // The same run without the mutation is fine: it is the mutation that was caught.
        assertThat(brokenPromise(new Simulation(seed, profiles.apply(seed), Mutation.NONE)))
            .isEmpty();
        return;
      }
    }
    throw new AssertionError(mutation + " was not caught in " + MOST_RUNS + " runs");
  }

  private static String brokenPromise(Simulation simulation) {
    try {
      simulation.run();
      return "";
    } catch (SimulationFailure failure) {
      assertThat(failure).hasCauseInstanceOf(BrokenPromise.class);
      return failure.broken();
    }
  }
}
