package dev.recorder.slotlog.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LedgerTroubleTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "55P03", "42P01", "42501", "25006", "53100", "53200", "58030", "23514", "22P02", "P0001",
        "XX001", "XX002"
      })
  void whatTheDatabaseRefusesItRefusesOnEveryHost(String state) {
    assertThat(LedgerTrouble.isEverywhere(new SQLException("no", state))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"08006", "57P01", "53300", "25P03", "57014", "40001", "40P01", "0A000"})
  void whatEndedASessionOrMetOthersMayFareBetterOnAnotherHost(String state) {
    assertThat(LedgerTrouble.isEverywhere(new SQLException("no", state))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = "no state at all")
  void whatTheDriverSaysIsNotOfTheDatabase(String message) {
    assertThat(LedgerTrouble.isEverywhere(new SQLException(message))).isFalse();
  }
}
