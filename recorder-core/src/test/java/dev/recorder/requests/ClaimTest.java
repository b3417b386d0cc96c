package dev.recorder.requests;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClaimTest {

  @ParameterizedTest
  @CsvSource({"0, false, false", "1, true, false", "2, true, false", "3, true, true"})
  void aRequestIsAPoisonMessageOnceThreeWorkersHaveNotEndedIt(
      int lost, boolean mayBe, boolean isOne) {
    Claim.Begun begun =
        new Claim.Begun(7, "order-1", RequestType.UPDATE, lost + 1, lost, new UUID(0, 1));
    assertThat(begun.mayBePoison()).isEqualTo(mayBe);
    assertThat(begun.isPoison()).isEqualTo(isOne);
  }
}
