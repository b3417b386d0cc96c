package dev.recorder.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.lock.LockException;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;

class FailuresTest {
  private final StringWriter err = new StringWriter();

  @ParameterizedTest
  @CsvSource({"UNREACHABLE, 69", "BUSY, 75", "RIGHTS, 77", "UNUSABLE, 78", "FAILED, 69"})
  void eachKindOfDatabaseTroubleHasItsExitCode(DatabaseErrorKind kind, int exitCode) {
    assertThat(fail(new DatabaseException(kind, "what and why"))).isEqualTo(exitCode);
    assertThat(err.toString()).isEqualTo("recorder: what and why\n");
  }

  @ParameterizedTest
  @CsvSource({"UNREACHABLE, 69", "RIGHTS, 77", "UNUSABLE, 78", "FAILED, 69", "LOST, 75"})
  void eachKindOfTroubleWithLocksHasItsExitCode(LockException.Kind kind, int exitCode) {
    assertThat(fail(new LockException("x", kind, "what and why"))).isEqualTo(exitCode);
    assertThat(err.toString()).isEqualTo("recorder: lock x: what and why\n");
  }

  @Test
  void aDefectIsOneLineAndAHint() {
    assertThat(fail(new IllegalStateException("broken"))).isEqualTo(1);
    assertThat(err.toString())
        .isEqualTo(
            """
            recorder: java.lang.IllegalStateException: broken
            recorder: this is a defect of the program; --verbose shows where it happened
            """);
  }

  @Test
  void whoAsksGetsTheTrace() {
    Exception failure = new IllegalStateException("broken", new ArithmeticException("cause"));

    assertThat(fail(failure, "--verbose")).isEqualTo(1);
    assertThat(err.toString())
        .contains("\tat dev.recorder.app.cli.FailuresTest")
        .contains("Caused by: java.lang.ArithmeticException: cause")
        .doesNotContain("--verbose shows");
  }

  private int fail(Exception failure, String... options) {
    CommandLine command =
        RecorderCommand.withAllCommands(OutputStream.nullOutputStream())
            .addSubcommand(new Failing(failure))
            .setErr(new PrintWriter(err));
    command.setExecutionExceptionHandler(new Failures());
    return command.execute((String.join(" ", options) + " fail").strip().split(" "));
  }

  @Command(name = "fail")
  private static final class Failing implements Callable<Integer> {
    private final Exception failure;

    Failing(Exception failure) {
      this.failure = failure;
    }

    @Override
    public Integer call() throws Exception {
      throw failure;
    }
  }
}
