package dev.recorder.app.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimingLawTest {
  @TempDir private Path folder;

  private TestIni timing(String... lines) {
    return TestIni.minimal(folder).with("timing", lines);
  }

  @ParameterizedTest
  @CsvSource({"heartbeat, network_timeout = 50ms", "network_timeout, heartbeat = 50ms"})
  void whatRenewsTheLeaseIsShorterThanTheLease(String key, String other) {
    TestIni ini = timing(key + " = 1500ms", other);

    assertThat(ini.findings())
        .contains(
            "%d: error: %s 1500ms is not below lease 1500ms; help: write %2$s below 1500ms, or lease above 1500ms"
                .formatted(ini.line(key + " = 1500ms"), key));
  }

  // Columns: what is written, what is said of it.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # The lease ends a margin before the silence.
          lease = 1751ms | error: lease 1751ms and a margin of 250ms are together more than takeover_after 2s; help: write lease of at most 1750ms, or takeover_after from 2001ms to 3s
          # A lease that no takeover could outlast has to be shorter.
          lease = 5s | error: lease 5s and a margin of 250ms are together more than takeover_after 2s; help: write lease of at most 1750ms
          # The backstop ends last.
          takeover_after = 3001ms | error: takeover_after 3001ms is more than the sessions' idle_session_timeout of 3s; help: write takeover_after of at most 3s
          # A silence is seen in three reads.
          watch = 667ms | error: watch 667ms does not fit 3 times into takeover_after 2s; help: write watch of at most 666ms
          # A heartbeat whose slow answer ends a term is a warning.
          heartbeat = 501ms | warning: heartbeat 501ms and network_timeout 1s are together more than lease 1500ms: one slow answer ends a term; help: write heartbeat, or network_timeout, smaller; or lease of at least 1501ms
          """)
  void whatBreaksTheLawIsSaid(String line, String said) {
    timing(line).says(line, said);
  }

  @Test
  void aRuleIsShownOnTheLineThatIsThere() {
    timing("watch = 50ms", "takeover_after = 1700ms")
        .saysFirst("takeover_after = 1700ms", "error: lease");
  }

  @ParameterizedTest
  @CsvSource({
    "heartbeat = 499ms, network_timeout = 1001ms",
    "lease = 1750ms, watch = 666ms",
    "takeover_after = 3s, lease = 2750ms",
    "takeover_after = 1800ms, watch = 600ms",
  })
  void whatJustKeepsTheLawIsFine(String one, String other) {
    assertThat(timing(one, other).findings()).isEmpty();
  }

  @Test
  void aRefusedValueIsNotJudgedByItsDefault() {
    TestIni ini = timing("takeover_after = never", "lease = 1900ms");

    assertThat(ini.findings()).hasSize(1).allMatch(said -> said.contains("is not a duration"));
  }
}
