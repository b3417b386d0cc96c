package dev.recorder.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.recorder.app.config.TestIni;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code reload} and {@code primary} without a database: nothing listens on its port. */
class ReloadCommandTest {
  @TempDir private Path folder;
  private Path file;

  @BeforeEach
  void write() {
    file = site().write();
  }

  private TestIni site() {
    return TestIni.minimal(folder)
        .set("postgredb", "endpoint = 127.0.0.1")
        .with("postgredb", "port = 1")
        .with("recorder:jobs", "lockid = 2", "kind = requests");
  }

  @Test
  void withoutTheDatabaseNobodyIsAskedAndNothingIsWritten() throws Exception {
    String before = Files.readString(file);

    for (String command : new String[] {"reload", "reload --dry-run", "primary orders false"}) {
      Run.command(file, command.split(" "))
          .exits(69)
          .printsNothing()
          .saysFirst("recorder: nothing was asked of machine a, as orders go through the database")
          .says("SIGHUP to its process does not need it")
          .inOneLine();
    }
    assertThat(Files.readString(file)).isEqualTo(before);
  }

  @Test
  void theFileAloneIsWrittenIfThatIsWanted() throws Exception {
    String before = Files.readString(file);

    Run.command(file, "primary", "orders", "false", "--no-reload")
        .exits(0)
        .saysNothing()
        .printsOnly(file + ":13: primary = false, it was true\n");
    Run.command(file, "primary", "orders", "false", "--no-reload")
        .exits(0)
        .printsOnly(file + ":13: primary = false, as before\n");

    assertThat(Files.readString(file))
        .isEqualTo(before.replace("primary = true", "primary = false"));
  }

  @Test
  void whatWasWrittenIsOneObjectForPrograms() {
    JsonNode json =
        Run.command(file, "primary", "orders", "false", "--no-reload", "-o", "json")
            .exits(0)
            .saysNothing()
            .json();

    assertThat(Run.names(json))
        .isEqualTo("machine file dry_run applied errors needs_restart recorders written");
    assertThat(json.get("applied").booleanValue()).isFalse();
    assertThat(json.get("written"))
        .hasToString("{\"recorder\":\"orders\",\"primary\":false,\"line\":13,\"changed\":true}");
  }

  @Test
  void ofABadFileNobodyIsAskedAndItsErrorsAreNamedWithTheirLines() throws IOException {
    Path bad = site().with("recorder:orders", "lingr = 1s").write();
    String before = Files.readString(bad);

    for (String command : new String[] {"reload", "primary orders false --no-reload"}) {
      Run.command(bad, command.split(" ")).exits(78).printsNothing().says("recorder.ini:14: error");
    }
    for (String command : new String[] {"reload", "primary orders false"}) {
      JsonNode json =
          Run.command(bad, (command + " -o json").split(" "))
              .exits(78)
              .says("recorder.ini:14: error")
              .json();
      assertThat(Run.names(json))
          .isEqualTo("machine file dry_run applied errors needs_restart recorders");
      assertThat(json.get("errors").toString()).contains("recorder.ini:14: error: ");
    }
    assertThat(Files.readString(bad)).isEqualTo(before);
  }

  @Test
  void aRecorderWithoutPreferenceIsWrongUsage() {
    Run.command(file, "primary", "jobs", "true").exits(2).says("kind = requests: all hosts work");
    Run.command(file, "primary", "ordres", "true").exits(2).says("did you mean 'orders'?");
    Run.command(file, "primary", "orders", "maybe").exits(2);
    Run.command(file, "primary", "orders").exits(2);
  }

  @Test
  void aRecorderThatAKeyElectsHasNone() {
    Path keyed =
        site()
            .without("recorder:orders")
            .with("recorder:orders", "lockid = 1", "election = redis")
            .with("redis", "endpoint = 127.0.0.1", "port = 1")
            .write();

    Run.command(keyed, "primary", "orders", "true").exits(2).says("election = redis: whoever has");
  }

  @Test
  void aFileWithSeveralNamesIsNotWritten() throws IOException {
    Files.createLink(folder.resolve("again.ini"), file);

    Run.command(file, "primary", "orders", "false", "--no-reload")
        .exits(78)
        .saysFirst("recorder: ")
        .says("hard links", "edit it by hand")
        .inOneLine();
  }
}
