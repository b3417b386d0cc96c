package dev.recorder.app.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.config.host.MetricsConfig;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The section {@code [metrics]}. */
class MetricsSectionTest {
  @TempDir private Path folder;

  @Test
  void withoutItNothingIsPrinted() {
    RecorderConfig config = TestIni.minimal(folder).load();

    assertThat(config.metrics().get(MetricsConfig.EMF)).isFalse();
    assertThat(config.effective()).doesNotContain("[metrics]");
  }

  @Test
  void recordersAreNamedOnceEach() {
    RecorderConfig config =
        TestIni.withRequests(folder)
            .with("metrics", "emf = true", "emf_recorders = orders , jobs,orders")
            .load();

    assertThat(config.metrics().emfRecorders()).containsExactly("orders", "jobs");
    assertThat(config.effective()).contains("[metrics]\nemf = true\nemf_recorders = orders, jobs");
  }

  @Test
  void whatIsNoRecorderOfTheFileIsNamed() {
    TestIni ini = TestIni.minimal(folder).with("metrics", "emf = true", "emf_recorders = order");

    assertThat(ini.findings())
        .containsExactly(
            ini.line("emf_recorders = order")
                + ": error: emf_recorders: there is no [recorder:order];"
                + " help: did you mean orders?");
  }

  @Test
  void aListThatIsNoneIsRefused() {
    TestIni ini = TestIni.minimal(folder).with("metrics", "emf_recorders = orders; jobs");

    assertThat(ini.findings()).singleElement().asString().contains("is no list of recorders");
  }

  /** One host alone may print them. */
  @Test
  void hostsMayDifferInIt() {
    String plain = TestIni.minimal(folder).load().configHash();

    assertThat(TestIni.minimal(folder).with("metrics", "emf = true").load().configHash())
        .isEqualTo(plain);
  }

  @Test
  void aChangeNeedsARestart() {
    RecorderConfig running = TestIni.minimal(folder).with("metrics", "emf = false").load();
    RecorderConfig fresh =
        TestIni.minimal(folder).with("metrics", "emf = true", "emf_recorders = orders").load();

    Reload reload = Reload.of(running, fresh);

    assertThat(reload.config().metrics().get(MetricsConfig.EMF)).isFalse();
    assertThat(reload.needsRestart())
        .containsExactly("[metrics] emf = true", "[metrics] emf_recorders = orders");
  }
}
