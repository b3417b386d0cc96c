package dev.recorder.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.table.TwoCommitters.Mutant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** All orders of the steps of two hosts, with faults anywhere. */
class CommitRunTest {
  private static final int FAULTS = 1;

  @Test
  void eachSlotIsInTheTableOnceWhateverTheOrderOfTwoHostsAndTheirFaults() {
    int[] states = {0};

    assertThat(TwoCommitters.search(Mutant.NONE, FAULTS, states)).isNull();

    System.out.println("figure: " + states[0] + " states of two committers");
    assertThat(states[0]).isGreaterThan(5_000);
  }

  @Test
  @Tag("nightly")
  void theSameWithTwoFaults() {
    assertThat(TwoCommitters.search(Mutant.NONE, 2, new int[1])).isNull();
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void eachBrokenRuleIsNoticed(Mutant mutant) {
    assertThat(TwoCommitters.search(mutant, FAULTS, new int[1])).isNotNull();
  }
}
