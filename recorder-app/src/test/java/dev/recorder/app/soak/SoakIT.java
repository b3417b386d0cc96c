package dev.recorder.app.soak;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.recorder.app.harness.UserProgram;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * A minute of the soak as people start it, and one that is ended by a signal. In a build the storm
 * runs, by the same machinery; the stories of faults and the simulator have these faults.
 */
@Timeout(600)
class SoakIT {
  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private Path temp;

  private UserProgram soak;

  @AfterEach
  void endTheSoak() throws Exception {
    if (soak != null) {
      soak.close();
    }
  }

  @Tag("nightly")
  @Test
  void aMinuteOfFaultsLosesNothing() throws Exception {
    // Another schedule each time; the seed is in the output.
    String seed = Long.toString(System.currentTimeMillis() / 1_000);
    soak = UserProgram.start(Soak.class, temp, "--minutes", "1", "--seed", seed);
    List<String> lines = soak.lines();

    assertThat(soak.process().waitFor()).as(String.join("\n", lines)).isZero();
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
            "cleared",
            "kept",
            "clearings",
            "clearing_hosts",
            "table_kib",
            "captured",
            "documents",
            "verify_ok",
            "ok");
    assertWorthItsName(result);
    soak.assertNothingStaysBehind();
  }

  private static void assertWorthItsName(JsonNode result) {
    assertThat(result.path("ok").asBoolean()).isTrue();
    assertThat(result.path("faults")).hasSizeGreaterThan(1);
    assertThat(result.path("rows").asInt()).isGreaterThan(100);
    assertThat(result.path("objects").asInt()).isGreaterThan(5);
    assertThat(result.path("cleared").asInt()).isGreaterThan(100);
    assertThat(result.path("clearing_hosts").asInt()).isGreaterThan(1);
    assertThat(result.path("captured").asInt()).isGreaterThan(100);
    assertThat(result.path("documents").asInt()).isGreaterThan(10);
  }

  @Tag("nightly")
  @Test
  void leavesNothingBehindWhenItIsEndedByASignal() throws Exception {
    soak = UserProgram.startMerged(Soak.class, temp, "--minutes", "1");
    soak.awaitLine(" s: ");
    soak.process().toHandle().destroy();

    assertThat(soak.process().waitFor(2, TimeUnit.MINUTES)).isTrue();
    assertThat(soak.process().exitValue()).isNotZero();
    soak.assertNothingStaysBehind();
  }
}
