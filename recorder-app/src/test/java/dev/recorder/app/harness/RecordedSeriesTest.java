package dev.recorder.app.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What becomes of a test that has series to be judged. */
class RecordedSeriesTest {
  @Test
  void whereTheToolIsMissingTheTestIsSkippedAndDoesNotPass() {
    RecordedSeries series = new RecordedSeries("no_tool").calm(Map.of());

    Throwable outcome = catchThrowable(() -> series.check(Optional.of("promtool is not there")));

    assertThat(outcome)
        .hasMessageContaining("no_tool.yml was tested: promtool is not there")
        .extracting(each -> each.getClass().getSimpleName())
        .isEqualTo("TestAbortedException");
  }
}
