package dev.recorder.app.soak;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.recorder.testing.JavaProgram;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** The soak as people start it: a minute of it, and one that is ended by a signal. */
@Timeout(600)
class SoakIT {
  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private Path temp;

  private Process soak;

  @AfterEach
  void endTheSoak() throws Exception {
    if (soak != null) {
      soak.destroy();
      soak.waitFor();
    }
  }

  @Test
  void aMinuteOfFaultsLosesNothing() throws Exception {
    // Another schedule each time; the seed is in the output.
    start("--minutes", "1", "--seed", Long.toString(System.currentTimeMillis() / 1_000));
    List<String> lines = soak.inputReader().lines().toList();

    assertThat(soak.waitFor()).as(String.join("\n", lines)).isZero();
    JsonNode result = new ObjectMapper().readTree(lines.get(lines.size() - 1));
    assertThat(result.fieldNames())
        .toIterable()
        .containsExactly(
            "minutes",
            "seed",
            "faults",
            "rows",
            "objects",
            "lost",
            "duplicated",
            "out_of_order",
            "takeovers",
            "longest_outage_ms",
            "zombie_writes",
            "verify_ok",
            "ok");
    assertThat(result.path("ok").asBoolean()).isTrue();
    assertThat(result.path("faults")).hasSizeGreaterThan(1);
    assertThat(result.path("rows").asInt()).isGreaterThan(100);
    assertThat(result.path("objects").asInt()).isGreaterThan(5);
    assertNothingStaysBehind();
  }

  @Test
  void leavesNothingBehindWhenItIsEndedByASignal() throws Exception {
    start("--minutes", "1");
    try (BufferedReader lines = soak.errorReader()) {
      String line;
      do {
        line = lines.readLine();
        assertThat(line).as("the soak ended too early").isNotNull();
      } while (!line.contains(" for "));
      soak.toHandle().destroy();
      lines.lines().forEach(rest -> {});
    }

    assertThat(soak.waitFor(2, TimeUnit.MINUTES)).isTrue();
    assertThat(soak.exitValue()).isNotZero();
    assertNothingStaysBehind();
  }

  private void start(String... arguments) throws IOException {
    ProcessBuilder builder =
        JavaProgram.of(Soak.class, List.of("-Djava.io.tmpdir=" + temp), List.of(arguments));
    if (arguments.length > 2) {
      builder.redirectError(ProcessBuilder.Redirect.INHERIT);
    }
    soak = builder.start();
  }

  /** Servers and recorders run on folders below {@link #temp}, and say so in their arguments. */
  private void assertNothingStaysBehind() throws IOException {
    Optional<String> process =
        ProcessHandle.allProcesses()
            .filter(each -> each.pid() != soak.pid())
            .map(each -> each.info().commandLine().orElse(""))
            .filter(line -> line.contains(temp.toString()))
            .findFirst();
    assertThat(process).isEmpty();
    try (Stream<Path> files = Files.list(temp)) {
      assertThat(files).isEmpty();
    }
  }
}
