package dev.recorder.app.cli.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.recorder.app.cli.command.CommandFailure;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OrderFailuresTest {
  @ParameterizedTest
  @CsvSource({"RIGHTS, 77", "BUSY, 75", "FAILED, 69"})
  void whatTheDatabaseRefusedWasNotOrdered(DatabaseErrorKind kind, int exitCode) {
    CommandFailure told =
        catchThrowableOfType(
            CommandFailure.class,
            () -> OrderFailures.given("nothing was asked of host b", () -> fail(kind)));

    assertThat(told).hasMessage("nothing was asked of host b: as a test wants it");
    assertThat(told.exitCode()).isEqualTo(exitCode);
  }

  @Test
  void whatWasAskedWhenTheSessionWasLostMayHaveBeenOrdered() {
    DatabaseException lost =
        catchThrowableOfType(
            DatabaseException.class,
            () ->
                OrderFailures.given(
                    "nothing was asked", () -> fail(DatabaseErrorKind.UNREACHABLE)));

    assertThat(lost.kind()).isEqualTo(DatabaseErrorKind.UNREACHABLE);
  }

  @ParameterizedTest
  @CsvSource({
    "UNREACHABLE, is lost, 69",
    "UNUSABLE, is lost, 78",
    "BUSY, is busy, 75",
    "RIGHTS, does not tell, 77",
    "FAILED, does not tell, 69"
  })
  void onlyALostSessionIsSaidToBeLost(DatabaseErrorKind kind, String why, int exitCode) {
    CommandFailure told = OrderFailures.lost("to host b", failure(kind), "its log tells");

    assertThat(told)
        .hasMessage(
            "what became of the order to host b is not known, as the database %s: %s; its log tells"
                .formatted(why, "as a test wants it"));
    assertThat(told.exitCode()).isEqualTo(exitCode);
  }

  private static long fail(DatabaseErrorKind kind) {
    throw failure(kind);
  }

  private static DatabaseException failure(DatabaseErrorKind kind) {
    return new DatabaseException(kind, "as a test wants it");
  }
}
