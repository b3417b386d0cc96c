package dev.recorder.app.metrics;

import dev.recorder.app.looks.LatestSample;
import dev.recorder.metrics.MachineMetrics;
import dev.recorder.time.Ticker;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The text of {@code /metrics}: all metrics of this process, in Prometheus' text format.
 * Thread-safe; never waits.
 *
 * @param reloads the counts of reloads
 * @param sampled returns the last sample of the database
 */
public record Exposition(
    ExposedHost host,
    MachineMetrics machine,
    Reloads reloads,
    Supplier<LatestSample> sampled,
    Ticker ticker)
    implements Supplier<String> {

  /** The host of the metrics. */
  public record ExposedHost(String name, String version) {}

  @Override
  public String get() {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    try {
      PrometheusTextFormatWriter.create().write(text, snapshots());
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return text.toString(StandardCharsets.UTF_8);
  }

  private Set<String> names() {
    Set<String> names = new HashSet<>(machine.logs().keySet());
    names.addAll(machine.requests().keySet());
    return names;
  }

  private MetricSnapshots snapshots() {
    Families families = new Families();
    families.add(
        InfoSnapshot.builder()
            .name("recorder_build")
            .help("Version, Java and name of this host.")
            .dataPoint(
                InfoSnapshot.InfoDataPointSnapshot.builder()
                    .labels(
                        Labels.of(
                            "machine",
                            host.name(),
                            "version",
                            host.version(),
                            "java",
                            Runtime.version().toString()))
                    .build())
            .build());
    HostFamilies.add(machine, reloads, families);
    LogFamilies.add(machine, families);
    LatestSample found = sampled.get();
    Duration age = Duration.ofNanos(ticker.nanos() - found.at());
    SampleFamilies.add(found, age, names(), families);
    JvmFamilies.add(families);
    return families.snapshots();
  }
}
