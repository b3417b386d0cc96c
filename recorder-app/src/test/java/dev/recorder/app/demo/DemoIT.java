package dev.recorder.app.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.recorder.app.harness.UserProgram;
import dev.recorder.testing.ProcessSignal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The demo as users start it, to its end and ended by a signal on the way. */
@Timeout(900)
class DemoIT {
  @TempDir private Path temp;
  private UserProgram demo;

  @AfterEach
  void endTheDemo() throws Exception {
    if (demo != null) {
      demo.close();
    }
  }

  @Test
  void endsWithOneLineThatSaysThatNothingWasLost() throws Exception {
    demo = UserProgram.start(Demo.class, temp);
    List<String> lines = demo.lines();

    assertThat(demo.process().waitFor()).as(String.join("\n", lines)).isZero();
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
    demo.assertNothingStaysBehind();
  }

  /** In a build {@code NothingStaysBehindIT}, of the servers. */
  @ParameterizedTest(name = "SIG{1} at: {0}")
  @Tag("nightly")
  @CsvSource({
    "starting PostgreSQL,     TERM",
    "starting two recorders,  TERM",
    "starting two recorders,  INT",
    "SIGKILL to host-a,       TERM"
  })
  void leavesNothingBehindWheneverItIsEnded(String phase, String signal) throws Exception {
    // A JVM of a background job inherits that SIGINT is ignored, and keeps to it.
    assumeThat(signal.equals("INT") && ignoresInterrupts()).isFalse();
    demo = UserProgram.start(Demo.class, temp);
    demo.awaitLine(phase);

    ProcessSignal.send(signal, demo.process().pid());

    assertThat(demo.process().waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(demo.process().exitValue()).isNotZero();
    demo.assertNothingStaysBehind();
  }

  private static boolean ignoresInterrupts() throws IOException {
    Path status = Path.of("/proc/self/status");
    return Files.exists(status)
        && Files.readAllLines(status).stream()
            .filter(line -> line.startsWith("SigIgn:"))
            .anyMatch(line -> (Long.parseUnsignedLong(line.substring(7).trim(), 16) & 2) != 0);
  }
}
