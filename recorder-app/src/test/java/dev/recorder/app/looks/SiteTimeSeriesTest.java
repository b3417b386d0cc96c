package dev.recorder.app.looks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.page.Known;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SiteTimeSeriesTest {
  private static final long STEP = SiteTimeSeries.STEP.toNanos();

  private final SiteTimeSeries curves = new SiteTimeSeries();
  private final SiteSample look =
      Known.calm().with(Known.log("orders", 1, "host-a", Known.AT.minusSeconds(4))).look();

  private static List<@Nullable Double> last(List<@Nullable Double> values) {
    return values.subList(values.size() - 4, values.size());
  }

  @Test
  void aLookIsAValueOfItsRecorderAndOfAll() {
    curves.add(10 * STEP, look);

    assertThat(last(curves.of(1, 10 * STEP).lag())).containsExactly(null, null, null, 4.0);
    assertThat(last(curves.all(10 * STEP).rate())).containsExactly(null, null, null, 12.5);
    assertThat(last(curves.of(2, 10 * STEP).lag())).containsOnlyNulls();
  }

  @Test
  void aLookThatComesLateIsOfTheStepsBeforeItToo() {
    curves.add(10 * STEP, look);
    curves.add(13 * STEP, look);

    assertThat(last(curves.of(1, 13 * STEP).lag())).containsExactly(4.0, 4.0, 4.0, 4.0);
  }

  @Test
  void whileLooksFailNothingIsKnown() {
    curves.add(10 * STEP, look);
    curves.interrupted();
    curves.add(13 * STEP, look);

    assertThat(last(curves.of(1, 13 * STEP).lag())).containsExactly(4.0, null, null, 4.0);
  }

  @Test
  void afterALongTimeNothingIsMadeUp() {
    curves.add(10 * STEP, look);
    curves.add(50 * STEP, look);

    assertThat(last(curves.of(1, 50 * STEP).lag())).containsExactly(null, null, null, 4.0);
  }

  @Test
  void stepsAreTenSeconds() {
    assertThat(SiteTimeSeries.STEP).isEqualTo(Duration.ofSeconds(10));
    curves.add(STEP - 1, look);
    curves.add(STEP, look);

    assertThat(last(curves.of(1, STEP).lag())).containsExactly(null, null, 4.0, 4.0);
  }
}
