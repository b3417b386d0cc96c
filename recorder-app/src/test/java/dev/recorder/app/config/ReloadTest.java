package dev.recorder.app.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.config.recorder.RecorderSection;
import dev.recorder.app.config.recorder.RecorderSectionKeys;
import dev.recorder.leadership.Failback;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReloadTest {
  @TempDir private Path folder;
  private RecorderConfig running;

  @BeforeEach
  void loadWhatRuns() {
    running = minimal().load();
  }

  @Test
  void anUnchangedFileChangesNothing() {
    Reload reload = reload(minimal());

    assertThat(reload.config()).isEqualTo(running);
    assertThat(reload.needsRestart()).isEmpty();
  }

  @Test
  void aFlipAndItsFailbackAreApplied() {
    Reload reload =
        reload(
            minimal()
                .without("recorder:orders")
                .with("recorder:orders", "lockid = 1", "primary = false", "failback = manual"));

    assertThat(reload.needsRestart()).isEmpty();
    RecorderSection orders = reload.config().recorder("orders").orElseThrow();
    assertThat(orders.primary()).isFalse();
    assertThat(orders.get(RecorderSectionKeys.FAILBACK)).isEqualTo(Failback.MANUAL);
  }

  @Test
  void recordersComeAndGo() {
    Reload reload =
        reload(
            minimal()
                .without("recorder:orders")
                .with("recorder:invoices", "lockid = 2", "primary = true", "linger = 2s"));

    assertThat(reload.needsRestart()).isEmpty();
    assertThat(reload.config().recorder("orders")).isEmpty();
    assertThat(reload.config().recorder("invoices")).isPresent();
  }

  @Test
  void whatNeedsARestartIsNamedAndStaysAsItIs() {
    Reload reload =
        reload(
            minimal()
                .with("timing", "lease = 1400ms")
                .with("postgredb", "sslmode = require", "password = new")
                .with("recorder:orders", "linger = auto"));

    assertThat(reload.needsRestart())
        .containsExactly(
            "[postgredb] sslmode = require, it stays prefer",
            "[timing] lease = 1400ms, it stays 1500ms",
            "[recorder:orders] linger = auto, it stays 1s",
            "[postgredb] password = ***",
            "[postgredb] password");
    assertThat(reload.config().timing()).isEqualTo(running.timing());
    assertThat(reload.config().database()).isEqualTo(running.database());
    assertThat(reload.config().recorder("orders")).isEqualTo(running.recorder("orders"));
  }

  @Test
  void howTheLogIsWrittenChangesAtOnce() {
    Reload reload =
        reload(
            minimal()
                .with("log", "format = json", "level = warn")
                .with("recorder:orders", "log_level = debug"));

    assertThat(reload.needsRestart()).isEmpty();
    assertThat(TestIni.inEffect(reload.config(), "log"))
        .containsExactly("format = json", "level = warn");
    assertThat(TestIni.inEffect(reload.config(), "recorder:orders")).endsWith("log_level = debug");
    assertThat(RecorderChange.all(running, reload))
        .containsExactly(new RecorderChange("orders", RecorderChange.ChangeKind.CHANGED));
  }

  @Test
  void aPasswordIsNeverShown() {
    RecorderConfig old = minimal().with("postgredb", "password = hunter1").load();
    Reload reload = Reload.of(old, minimal().with("postgredb", "password = hunter2").load());

    assertThat(reload.needsRestart()).containsExactly("[postgredb] password");
  }

  @Test
  void aRecorderUnderTheLockidOfAnotherThatRunsWaitsForTheRestart() {
    Reload reload =
        reload(
            minimal()
                .without("recorder:orders")
                .with("recorder:renamed", "lockid = 1", "primary = true")
                .with("recorder:other", "lockid = 2", "primary = true"));

    assertThat(reload.config().recorders())
        .extracting(RecorderSection::name)
        .containsExactly("other");
    assertThat(reload.needsRestart())
        .containsExactly("[recorder:renamed] lockid = 1, which recorder orders had until now");
  }

  @Test
  void requestsComeAndGo() {
    RecorderConfig more = withRequests("workers = 2").load();

    Reload come = Reload.of(running, more);
    assertThat(come.config()).isEqualTo(more);
    assertThat(come.needsRestart()).isEmpty();

    Reload go = Reload.of(more, minimal().load());
    assertThat(go.config()).isEqualTo(running);
    assertThat(go.needsRestart()).isEmpty();
  }

  @Test
  void requestsTakeNothingElseWithoutARestart() {
    RecorderConfig before = withRequests("workers = 2", "handler = h").load();

    Reload reload =
        Reload.of(
            before,
            withRequests("workers = 3", "max_attempts = 4", "handler_timeout = 2s", "history = 7d")
                .load());

    assertThat(reload.config()).isEqualTo(before);
    assertThat(reload.needsRestart())
        .containsExactly(
            "[recorder:jobs] workers = 3, it stays 2",
            "[recorder:jobs] handler = nothing, it stays h",
            "[recorder:jobs] handler_timeout = 2s, it stays 1m",
            "[recorder:jobs] max_attempts = 4, it stays 20",
            "[recorder:jobs] history = 7d, it stays forever");
  }

  @Test
  void aChangedKindWaitsForTheRestartAndIsAllThatIsSaidOfTheRecorder() {
    RecorderConfig log = minimal().with("recorder:jobs", "lockid = 2", "primary = true").load();
    RecorderConfig requests = withRequests("workers = 2").load();

    Reload toRequests = Reload.of(log, requests);
    assertThat(toRequests.config()).isEqualTo(log);
    assertThat(toRequests.needsRestart())
        .containsExactly("[recorder:jobs] kind = requests, it stays log");

    Reload toLog = Reload.of(requests, log);
    assertThat(toLog.config()).isEqualTo(requests);
    assertThat(toLog.needsRestart())
        .containsExactly("[recorder:jobs] kind = log, it stays requests");
  }

  private Reload reload(TestIni changed) {
    return Reload.of(running, changed.load());
  }

  private TestIni withRequests(String... lines) {
    return TestIni.withRequests(folder, lines);
  }

  private TestIni minimal() {
    return TestIni.minimal(folder);
  }
}
