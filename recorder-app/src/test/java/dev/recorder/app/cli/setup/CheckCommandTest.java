package dev.recorder.app.cli.setup;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.recorder.app.cli.Run;
import dev.recorder.app.config.TestIni;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code check} without the network. */
class CheckCommandTest {
  @TempDir private Path folder;

  @Test
  void aRightFileIsRight() {
    Run run = Run.command(TestIni.minimal(folder).write(), "check").exits(0).saysNothing();

    assertThat(run.out()).endsWith(": host a, 1 recorder, 0 errors, 0 warnings\n");
  }

  @Test
  void everyFindingIsOneLineWithItsPlace() {
    TestIni wrong = wrong().with("recorder:orders", "colour = red");
    Run run = Run.command(wrong.write(), "check").exits(78);

    assertThat(run.out().lines()).hasSize(3);
    run.prints("recorder.ini:12: error: ", "recorder.ini:13: error: ", ": 2 errors, 0 warnings");
  }

  @Test
  void findingsForPrograms() {
    JsonNode json = Run.command(wrong().write(), "check", "-o", "json").exits(78).json();

    assertThat(Run.names(json)).isEqualTo("ok findings checks schema_version");
    assertThat(json.get("ok").booleanValue()).isFalse();
    JsonNode finding = json.get("findings").get(0);
    assertThat(Run.names(finding)).isEqualTo("line severity what help");
    assertThat(finding.get("line").intValue()).isEqualTo(12);
    assertThat(finding.get("severity").textValue()).isEqualTo("error");
  }

  @Test
  void aMissingFileIsAFinding() {
    Run.command(folder.resolve("nowhere.ini"), "check").exits(78).prints("nowhere.ini:1: error: ");
  }

  @Test
  void otherCommandsSayTheSameOnStandardError() {
    Run.command(folder.resolve("nowhere.ini"), "status")
        .exits(78)
        .printsNothing()
        .says("nowhere.ini:1: error: ");
  }

  private TestIni wrong() {
    return TestIni.minimal(folder).set("recorder:orders", "lockid = 999");
  }
}
