package dev.recorder.app.looks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SampleCostTest {
  @Test
  void aLookTakesAsLongAsItLastsWhereTheServerHasMostOfItToDo() {
    assertThat(SampleCost.taken(410, 1_000, 1_065)).isEqualTo(410);
  }

  @Test
  void whatALookWaitsForIsNoEffort() {
    assertThat(SampleCost.taken(100, 1_000, 1_002)).isEqualTo(16);
  }

  @Test
  void aLookThatLastsIsTakenForATenthOfItAtLeastSinceTheServerMayBeAtIt() {
    assertThat(SampleCost.taken(5_000, 1_000, 1_002)).isEqualTo(500);
  }

  @Test
  void withoutAProcessorsTimeALookTakesAsLongAsItLasts() {
    assertThat(SampleCost.taken(5_000, Long.MAX_VALUE, Long.MAX_VALUE)).isEqualTo(5_000);
  }
}
