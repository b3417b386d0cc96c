package dev.recorder.app.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.recorder.app.harness.RecordedSeries.Onset;
import dev.recorder.testing.Promtool;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What becomes of a test that has series to be judged, and what they are judged by. */
class RecordedSeriesTest {
  private static final Duration SOON = Duration.ofSeconds(1);
  private static final Map<String, String> CALM = page(0, 3);
  private static final Map<String, String> STUCK = page(1, 100);

  @Test
  void whereTheToolIsMissingTheTestIsSkippedAndDoesNotPass() {
    RecordedSeries series = new RecordedSeries("no_tool").calm(Map.of());

    Throwable outcome = catchThrowable(() -> series.check(Optional.of("promtool is not there")));

    assertThat(outcome)
        .hasMessageContaining("no_tool.yml was tested: promtool is not there")
        .extracting(each -> each.getClass().getSimpleName())
        .isEqualTo("TestAbortedException");
  }

  @Test
  void anAlertIsInTimeIfItFiresTwoScrapesAfterItsFaultShouldBeKnown() throws Exception {
    assumeTrue(Promtool.missing().isEmpty());
    stuck("in_time", Duration.ofSeconds(14), SOON).check();
    stuck("in_time_by_its_bound", Duration.ofSeconds(44), Duration.ofSeconds(15)).check();

    RecordedSeries late = stuck("too_late", Duration.ofSeconds(46), SOON);
    assertThatThrownBy(late::check).hasMessageContaining("RecorderStuck");
  }

  private static RecordedSeries stuck(String name, Duration shown, Duration known)
      throws Exception {
    return RecordedSeries.ofLongStages(name)
        .isOver(CALM, "RecorderStuck")
        .firesInTime(new Onset(CALM, shown, known), STUCK, List.of("RecorderStuck"));
  }

  @Test
  void agesGrowWhileAFaultGoesOn() throws Exception {
    assumeTrue(Promtool.missing().isEmpty());
    goesOn("for_long", Duration.ofSeconds(150)).check();

    RecordedSeries shortly = goesOn("not_for_long", Duration.ofSeconds(60));
    assertThatThrownBy(shortly::check).hasMessageContaining("RecorderRowsWait");
  }

  private static RecordedSeries goesOn(String name, Duration time) {
    return new RecordedSeries(name)
        .isOver(CALM, "RecorderRowsWait")
        .firesWhenItGoesOn(STUCK, time, "RecorderRowsWait");
  }

  private static Map<String, String> page(int stuck, int waiting) {
    String text =
        """
        recorder_sample_ok 1.0
        recorder_stuck{recorder="orders"} %d.0
        recorder_oldest_waiting_seconds{recorder="orders"} %d.0
        """;
    return Map.of("host-a", text.formatted(stuck, waiting));
  }
}
