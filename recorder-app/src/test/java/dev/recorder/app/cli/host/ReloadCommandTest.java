package dev.recorder.app.cli.host;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.recorder.app.cli.Run;
import dev.recorder.app.config.TestIni;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code reload} without a database: nothing listens on its port. */
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

    for (String command : new String[] {"reload", "reload --dry-run"}) {
      Run.command(file, command.split(" "))
          .exits(69)
          .printsNothing()
          .saysFirst("recorder: nothing was asked of host a, as orders go through the database")
          .says("SIGHUP to its process does not need it")
          .inOneLine();
    }
    assertThat(Files.readString(file)).isEqualTo(before);
  }

  @Test
  void ofABadFileNobodyIsAskedAndItsErrorsAreNamedWithTheirLines() throws IOException {
    Path bad = site().with("recorder:orders", "lingr = 1s").write();
    String before = Files.readString(bad);

    Run.command(bad, "reload").exits(78).printsNothing().says("recorder.ini:14: error");
    JsonNode json =
        Run.command(bad, "reload", "-o", "json").exits(78).says("recorder.ini:14: error").json();
    assertThat(Run.names(json))
        .isEqualTo("machine file dry_run applied errors needs_restart recorders schema_version");
    assertThat(json.get("errors").toString()).contains("recorder.ini:14: error: ");
    assertThat(Files.readString(bad)).isEqualTo(before);
  }
}
