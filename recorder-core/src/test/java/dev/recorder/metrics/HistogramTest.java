package dev.recorder.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class HistogramTest {
  private final Histogram histogram = new Histogram(.1, 1.);

  @Test
  void whatTookAsLongAsABoundIsInItsBucket() {
    histogram.add(100_000_000);
    histogram.add(100_000_001);
    histogram.add(1_000_000_000);
    histogram.add(1_000_000_001);

    assertThat(histogram.read())
        .isEqualTo(
            new Histogram.HistogramReading(List.of(.1, 1.), List.of(1L, 2L, 1L), 2.200000002));
  }

  @Test
  void aClockThatSeemsToGoBackTakesNothingAway() {
    histogram.add(-5);

    assertThat(histogram.read().counts()).containsExactly(1L, 0L, 0L);
    assertThat(histogram.read().sumSeconds()).isZero();
  }

  @Test
  void thereAreNoMoreBucketsThanTheBound() {
    Double[] bounds =
        DoubleStream.iterate(1, bound -> bound + 1)
            .limit(Histogram.MOST_BUCKETS)
            .boxed()
            .toArray(Double[]::new);

    assertThatThrownBy(() -> new Histogram(bounds)).hasMessageContaining("12 buckets");
  }
}
