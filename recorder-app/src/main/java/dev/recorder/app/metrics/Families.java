package dev.recorder.app.metrics;

import dev.recorder.metrics.Histogram;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Collects families of metrics. Not thread-safe. */
final class Families {
  private final List<MetricSnapshot> all = new ArrayList<>();

  /** Receives the points of a family. */
  interface Points<T> {
    void add(T value, String... labelsAndValues);
  }

  void gauge(String name, String help, Consumer<Points<Double>> points) {
    GaugeSnapshot.Builder family = GaugeSnapshot.builder().name(name).help(help);
    points.accept(
        (value, labels) ->
            family.dataPoint(
                GaugeDataPointSnapshot.builder().value(value).labels(Labels.of(labels)).build()));
    all.add(family.build());
  }

  /** Adds a counter. Prometheus appends {@code _total} to its name. */
  void counter(String name, String help, Consumer<Points<Double>> points) {
    CounterSnapshot.Builder family = CounterSnapshot.builder().name(name).help(help);
    points.accept(
        (value, labels) ->
            family.dataPoint(
                CounterDataPointSnapshot.builder().value(value).labels(Labels.of(labels)).build()));
    all.add(family.build());
  }

  /** Adds a gauge with a value for each recorder that has one. */
  <T> void gauges(
      String name, String help, Map<String, T> recorders, Function<T, @Nullable Double> value) {
    gauge(
        name,
        help,
        points ->
            recorders.forEach(
                (recorder, each) -> {
                  Double figure = value.apply(each);
                  if (figure != null) {
                    points.add(figure, "recorder", recorder);
                  }
                }));
  }

  /** Adds a counter for each recorder and each value of {@code label}. */
  <T> void counters(
      String name,
      String help,
      Map<String, T> recorders,
      String label,
      Function<T, Map<String, Long>> read) {
    counter(
        name,
        help,
        points ->
            recorders.forEach(
                (recorder, each) ->
                    read.apply(each)
                        .forEach(
                            (value, times) ->
                                points.add((double) times, "recorder", recorder, label, value))));
  }

  void histogram(String name, String help, Consumer<Points<Histogram>> points) {
    HistogramSnapshot.Builder family = HistogramSnapshot.builder().name(name).help(help);
    points.accept((value, labels) -> family.dataPoint(point(value.read(), Labels.of(labels))));
    all.add(family.build());
  }

  private static HistogramDataPointSnapshot point(
      Histogram.HistogramReading reading, Labels labels) {
    List<Double> bounds = new ArrayList<>(reading.bounds());
    bounds.add(Double.POSITIVE_INFINITY);
    return HistogramDataPointSnapshot.builder()
        .classicHistogramBuckets(ClassicHistogramBuckets.of(bounds, reading.counts()))
        .sum(reading.sumSeconds())
        .labels(labels)
        .build();
  }

  void add(MetricSnapshot family) {
    all.add(family);
  }

  MetricSnapshots snapshots() {
    return new MetricSnapshots(all);
  }
}
