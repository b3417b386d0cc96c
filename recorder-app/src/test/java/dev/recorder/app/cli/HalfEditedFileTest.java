package dev.recorder.app.cli;

import dev.recorder.app.config.TestIni;
import dev.recorder.testing.network.Ports;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Commands with a file in which somebody is just editing a section. Their database is not there:
 * what gets as far as that does not stumble over the file.
 */
class HalfEditedFileTest {
  private static final int UNREACHABLE = 69;
  private static final String WITHOUT_IT = "recorder: warning, this command goes without it: ";

  @TempDir private Path folder;

  private TestIni file() {
    return TestIni.minimal(folder)
        .with("postgredb", "port = " + Ports.free(), "sslmode = disable")
        .with("recorder:others", "lockid = 2", "primary = true");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "status",
        "takeovers",
        "explain orders",
        "explain others",
        "pause orders --reason moves --for 1m",
        "resume orders",
        "switchover orders --to b",
        "drain b",
        "requests list jobs",
        "clear orders --dry-run",
        "cat orders",
        "verify orders",
        "capture list",
        "lock list",
        "lock show --name nightly",
        "tasks list",
      })
  void whatACommandDoesNotNeedIsAWarning(String command) {
    Path file =
        file()
            .with("recorder:jobs", "lockid = 3", "kind = requests")
            .with("recorder:others", "lingr = 1s")
            .with("http", "listen = nonsense")
            .with("[recorder:half", "lockid =")
            .with("metrics", "emf_recorders = others, orders")
            .write();

    Run.command(file, command.split(" "))
        .exits(UNREACHABLE)
        .says(WITHOUT_IT, "unknown key lingr", "the section header is broken");
  }

  @ParameterizedTest
  @ValueSource(strings = {"status", "takeovers", "explain orders --host a", "lock list", "drain b"})
  void noneOfWhatIsOfTheDatabaseAloneNeedsAStoreOrAnyRecorder(String command) {
    Path file = file().with("s3", "bukket = x").with("machine", "hosts = none").write();

    Run.command(file, command.split(" ")).exits(UNREACHABLE).says("unknown key bukket");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "run",
        "check",
        "schema",
        "verify",
        "cat others",
        "clear others --dry-run",
        "pause others"
      })
  void whatACommandNeedsIsAnError(String command) {
    Path file = file().with("recorder:others", "lingr = 1s").write();
    String[] words =
        command.equals("pause others")
            ? (command + " --reason moves --for 1m").split(" ")
            : command.split(" ");

    Run.command(file, words).exits(78);
  }

  @Test
  void whatIsWrongWithTheDatabasesSectionIsAnErrorOfEachCommand() {
    Path file = file().with("postgredb", "pasword = x").write();

    Run.command(file, "status").exits(78).says("unknown key pasword");
    Run.command(file, "lock", "list").exits(78).says("unknown key pasword");
  }

  @Test
  void aFileWithoutTheSectionIsRefusedWithAllThatIsWrongInIt() {
    Path file = file().without("postgredb").with("http", "listen = nonsense").write();

    Run.command(file, "status").exits(78).says("section [postgredb] is missing", "listen = ");
  }
}
