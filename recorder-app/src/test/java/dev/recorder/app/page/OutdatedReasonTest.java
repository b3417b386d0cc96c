package dev.recorder.app.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.looks.LatestSample;
import dev.recorder.metrics.MachineMetrics;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class OutdatedReasonTest {
  private static final long NOW = 500_000_000_000L;

  private final MachineMetrics metrics = new MachineMetrics(() -> NOW, List.of());

  private void beat(long leaseMillis, long secondsAgo) {
    metrics.heartbeats(
        () -> leaseMillis * 1_000_000, () -> NOW - Duration.ofSeconds(secondsAgo).toNanos());
  }

  private @Nullable String trouble(@Nullable Integer ageSeconds, boolean ok) {
    Duration age = ageSeconds == null ? null : Duration.ofSeconds(ageSeconds);
    return trouble(age, ok, "");
  }

  private @Nullable String trouble(@Nullable Duration age, boolean ok, String why) {
    return OutdatedReason.of(
        "host-a", metrics, age, new LatestSample(null, 0, 0, List.of(), ok, why));
  }

  @Test
  void aHostThatBeatsAndLooksHasNone() {
    metrics.registered(true);
    beat(900, 0);

    assertThat(trouble(1, true)).isNull();
  }

  @Test
  void aHostThatHasJustStartedHasNotReachedTheDatabase() {
    assertThat(trouble(null, false)).isEqualTo("host-a has not reached the database yet");
  }

  @Test
  void aHostWithoutASessionOrALeaseCannotReachTheDatabase() {
    beat(900, 12);
    assertThat(trouble(12, true))
        .isEqualTo("host-a cannot reach the database, for 12 s: what follows is old");

    metrics.registered(true);
    beat(0, 4);
    assertThat(trouble(1, true)).startsWith("host-a cannot reach the database, for 4 s");
  }

  @Test
  void aLookThatFailsIsToldOnceItIsOld() {
    metrics.registered(true);
    beat(900, 0);

    assertThat(trouble(14, false)).isNull();
    assertThat(trouble(15, false))
        .isEqualTo("no look at the database has succeeded for 15 s: what follows is old");
    assertThat(trouble(40, true)).as("a host of many recorders looks seldom").isNull();
  }

  @Test
  void aLookThatFailsIsToldWithItsCauseInShort() {
    metrics.registered(true);
    beat(900, 0);
    String why = "ERROR: permission denied for table conditions (SQLSTATE 42501)";

    assertThat(trouble(Duration.ofSeconds(22), false, why + "\nand more"))
        .isEqualTo("no look at the database has succeeded for 22 s: what follows is old; " + why);
    assertThat(trouble(null, false, why))
        .isEqualTo("host-a has not read the recorders' state from the database yet; " + why);
    assertThat(trouble(null, false, "é".repeat(1_000))).endsWith("; " + "é".repeat(200) + "…");
  }
}
