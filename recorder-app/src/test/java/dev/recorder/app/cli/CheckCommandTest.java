package dev.recorder.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code check} without the network. */
class CheckCommandTest {
  private static final String RIGHT =
      """
      [machine]
      name = a
      [postgredb]
      endpoint = db
      database = app
      user = rec
      [s3]
      region = eu-central-1
      bucket = bucket
      [recorder:orders]
      lockid = 1
      primary = true
      """;

  @TempDir private Path folder;

  @Test
  void aRightFileIsRight() throws IOException {
    Run run = check(RIGHT);

    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).endsWith(": machine a, 1 recorder, 0 errors, 0 warnings\n");
    assertThat(run.err()).isEmpty();
  }

  @Test
  void everyFindingIsOneLineWithItsPlace() throws IOException {
    Run run = check(RIGHT.replace("lockid = 1", "lockid = 999\ncolour = red"));

    assertThat(run.exitCode()).isEqualTo(78);
    assertThat(run.out().lines()).hasSize(3);
    assertThat(run.out())
        .contains("recorder.ini:11: error: ", "recorder.ini:12: error: ", ": 2 errors, 0 warnings");
  }

  @Test
  void findingsForPrograms() throws IOException {
    Run run = check(RIGHT.replace("lockid = 1", "lockid = 999"), "-o", "json");

    assertThat(run.exitCode()).isEqualTo(78);
    JsonNode json = run.json();
    assertThat(Run.names(json)).containsExactly("ok", "findings", "checks");
    assertThat(json.get("ok").booleanValue()).isFalse();
    JsonNode finding = json.get("findings").get(0);
    assertThat(Run.names(finding)).containsExactly("line", "severity", "what", "help");
    assertThat(finding.get("line").intValue()).isEqualTo(11);
    assertThat(finding.get("severity").textValue()).isEqualTo("error");
  }

  @Test
  void aMissingFileIsAFinding() {
    Run run = Run.command(folder.resolve("nowhere.ini"), "check");

    assertThat(run.exitCode()).isEqualTo(78);
    assertThat(run.out()).contains("nowhere.ini:1: error: ");
  }

  @Test
  void otherCommandsSayTheSameOnStandardError() {
    Run run = Run.command(folder.resolve("nowhere.ini"), "status");

    assertThat(run.exitCode()).isEqualTo(78);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains("nowhere.ini:1: error: ");
  }

  private Run check(String text, String... args) throws IOException {
    Path file = folder.resolve("recorder.ini");
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    String[] all = new String[args.length + 1];
    all[0] = "check";
    System.arraycopy(args, 0, all, 1, args.length);
    return Run.command(file, all);
  }
}
