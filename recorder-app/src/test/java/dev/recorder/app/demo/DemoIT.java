package dev.recorder.app.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

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
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The demo as users start it, to its end and ended by a signal on the way. */
@Timeout(900)
class DemoIT {
  @TempDir private Path temp;
  private Process demo;

  @AfterEach
  void endTheDemo() throws Exception {
    if (demo != null) {
      demo.destroy();
      demo.waitFor();
    }
  }

  @Test
  void endsWithOneLineThatSaysThatNothingWasLost() throws Exception {
    start();
    List<String> lines = demo.inputReader().lines().toList();

    assertThat(demo.waitFor()).as(String.join("\n", lines)).isZero();
    JsonNode result = new ObjectMapper().readTree(lines.get(lines.size() - 1));
    assertThat(result.fieldNames())
        .toIterable()
        .containsExactly(
            "rows_inserted",
            "objects",
            "rows_lost",
            "rows_duplicated",
            "rows_out_of_order",
            "takeover_ms",
            "failback_gap_ms");
    assertThat(result.path("rows_inserted").asInt()).isGreaterThan(50);
    assertThat(result.path("objects").asInt()).isPositive();
    assertThat(result.path("takeover_ms").asInt()).isBetween(1, 60_000);
    assertThat(result.path("failback_gap_ms").asInt(-1)).isBetween(0, 60_000);
    assertNothingStaysBehind();
  }

  @ParameterizedTest(name = "SIG{1} at: {0}")
  @CsvSource({
    "starting PostgreSQL,     TERM",
    "starting two recorders,  INT",
    "rows committed,          INT",
    "SIGKILL to host-a,       TERM",
    "starting host-a again,   INT"
  })
  void leavesNothingBehindWhenItIsEndedByASignal(String phase, String signal) throws Exception {
    // A JVM of a background job inherits that SIGINT is ignored, and keeps to it.
    assumeThat(signal.equals("INT") && ignoresInterrupts()).isFalse();
    start();
    awaitLine(phase);

    send(signal);

    assertThat(demo.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(demo.exitValue()).isNotZero();
    assertNothingStaysBehind();
  }

  private void start() throws IOException {
    demo =
        JavaProgram.of(Demo.class, List.of("-Djava.io.tmpdir=" + temp), List.of())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
  }

  private void awaitLine(String text) throws IOException {
    BufferedReader lines = demo.inputReader();
    String line;
    do {
      line = lines.readLine();
      assertThat(line).as("the demo ended before: " + text).isNotNull();
    } while (!line.contains(text));
    // Whatever it still prints must not block it.
    Thread reader = new Thread(() -> lines.lines().forEach(ignored -> {}), "rest-of-demo");
    reader.setDaemon(true);
    reader.start();
  }

  private static boolean ignoresInterrupts() throws IOException {
    Path status = Path.of("/proc/self/status");
    return Files.exists(status)
        && Files.readAllLines(status).stream()
            .filter(line -> line.startsWith("SigIgn:"))
            .anyMatch(line -> (Long.parseUnsignedLong(line.substring(7).trim(), 16) & 2) != 0);
  }

  private void send(String signal) throws Exception {
    int code =
        new ProcessBuilder("kill", "-s", signal, Long.toString(demo.pid()))
            .inheritIO()
            .start()
            .waitFor();
    assertThat(code).isZero();
  }

  /** Servers and recorders run on folders below {@link #temp}, and say so in their arguments. */
  private void assertNothingStaysBehind() throws IOException {
    Optional<String> process =
        ProcessHandle.allProcesses()
            .filter(each -> each.pid() != demo.pid())
            .map(each -> each.info().commandLine().orElse(""))
            .filter(line -> line.contains(temp.toString()))
            .findFirst();
    assertThat(process).isEmpty();
    try (Stream<Path> files = Files.list(temp)) {
      assertThat(files).isEmpty();
    }
  }
}
