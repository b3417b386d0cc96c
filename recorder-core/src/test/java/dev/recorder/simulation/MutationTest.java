package dev.recorder.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;

/**
 * Breaks one rule of the protocol after the other and asks whether the simulator notices. What it
 * does not notice here it would not notice in the product either.
 */
class MutationTest {
  private static final int MOST_RUNS = 2_000;

  @Test
  void aPutThatIgnoresItsConditionIsCaught() {
    assertCaught(Mutation.PLAIN_PUT, Profile::zombies);
  }

  @Test
  void anEpochInTheKeyIsCaught() {
    assertCaught(Mutation.EPOCH_IN_KEY, Profile::zombies);
  }

  @Test
  void aConflictTakenForSuccessIsCaught() {
    assertCaught(Mutation.CONFLICT_IS_SUCCESS, Profile::zombies);
  }

  @Test
  void aReadThatDoesNotAskForTheLastSlotIsCaught() {
    assertCaught(Mutation.READ_WITHOUT_LAST_SLOT, Profile::rewinds);
  }

  @Test
  void aSettleThatDoesNotAskForTheLastSlotIsCaught() {
    assertCaught(Mutation.SETTLE_WITHOUT_LAST_SLOT, Profile::lateStatements);
  }

  @Test
  void goingOnToTheNextSlotAfterATimeoutIsCaught() {
    assertCaught(Mutation.NEXT_SLOT_AFTER_TIMEOUT, Profile::zombies);
  }

  @Test
  void sendingTheNextSlotBeforeTheOneBeforeIsSettledIsCaught() {
    assertCaught(Mutation.NEXT_SLOT_BEFORE_SETTLE, Profile::zombies);
  }

  @Test
  void contentBuiltAheadAndKeptAfterAConflictIsCaught() {
    assertCaught(Mutation.CONTENT_KEPT_AFTER_CONFLICT, Profile::zombies);
  }

  @Test
  void aWindowBelievedWithoutThePlanIsCaughtWhenHistoryIsLost() {
    assertCaught(Mutation.ANY_WINDOW_BELIEVED, Profile::rewinds);
  }

  @Test
  void aChangeOfSessionThatGoesUnnoticedIsCaughtWhenHistoryIsLost() {
    assertCaught(Mutation.SESSION_CHANGED_UNNOTICED, Profile::rewinds);
  }

  @Test
  void preparedRowsOverlookedInAnAdoptionAreCaughtWhenHistoryIsLost() {
    assertCaught(Mutation.PREPARED_ROWS_OVERLOOKED, Profile::rewinds);
  }

  @Test
  void objectsDeletedAboveTheFloorAreCaught() {
    assertCaught(Mutation.DELETED_ABOVE_FLOOR, Profile::ofSeed);
  }

  private static void assertCaught(Mutation mutation, LongFunction<Profile> profiles) {
    for (long seed = 1; seed <= MOST_RUNS; seed++) {
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
