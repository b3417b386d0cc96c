package dev.recorder.app.looks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TimeSeriesTest {
  private final TimeSeries curve = new TimeSeries();

  private List<@Nullable Double> last(int number, long step) {
    List<@Nullable Double> all = curve.upTo(step);
    assertThat(all).hasSize(TimeSeries.STEPS);
    return all.subList(TimeSeries.STEPS - number, TimeSeries.STEPS);
  }

  @Test
  void whatWasNeverToldIsNotKnown() {
    assertThat(last(2, 7)).containsOnlyNulls();
    curve.put(7, 1);
    curve.put(9, 3);

    assertThat(last(4, 9)).containsExactly(null, 1.0, null, 3.0);
    assertThat(last(3, 10)).containsExactly(null, 3.0, null);
  }

  @Test
  void ofAStepTheLargestStands() {
    curve.put(7, 2);
    curve.put(7, 5);
    curve.put(7, 3);

    assertThat(last(1, 7)).containsExactly(5.0);
  }

  @Test
  void whatIsTooOldIsForgottenAndNotTakenForNew() {
    curve.put(-3, 1);
    curve.put(-3 + TimeSeries.STEPS - 1, 2);
    assertThat(curve.upTo(-3 + TimeSeries.STEPS - 1).get(0)).isEqualTo(1.0);

    curve.put(-3 + 5 * TimeSeries.STEPS, 3);

    assertThat(curve.upTo(-3 + 5 * TimeSeries.STEPS)).filteredOn(value -> value != null).hasSize(1);
    curve.put(-3, 9);
    assertThat(curve.upTo(-3 + 5 * TimeSeries.STEPS)).doesNotContain(9.0);
  }

  @Test
  void valuesAreRoundedToWhatCanBeSeen() {
    curve.put(1, 0.123456);
    curve.put(2, 12_345.678);

    assertThat(last(2, 2)).containsExactly(0.12, 12_346.0);
  }
}
