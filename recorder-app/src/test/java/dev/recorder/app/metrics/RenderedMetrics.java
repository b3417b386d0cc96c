package dev.recorder.app.metrics;

import dev.recorder.app.looks.LatestSample;
import dev.recorder.app.looks.LockSample;
import dev.recorder.app.looks.SiteSample;
import dev.recorder.metrics.MachineMetrics;
import dev.recorder.operate.diagnosis.Diagnosis;
import dev.recorder.operate.site.RecorderFacts;
import dev.recorder.operate.site.WorkCounts;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** What host {@code a} tells monitors of a site, of which it knows by its last look alone. */
public final class RenderedMetrics {
  private static final long NOW = 1_000_000_000_000L;

  private RenderedMetrics() {}

  /** The samples for Prometheus. */
  public static String exposition(Diagnosis site) {
    Families families = new Families();
    SampleFamilies.add(look(site), Duration.ZERO, Set.of("orders"), families);
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    try {
      PrometheusTextFormatWriter.create().write(text, families.snapshots());
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return text.toString(StandardCharsets.UTF_8)
        .lines()
        .filter(line -> !line.startsWith("#"))
        .collect(Collectors.joining("\n"));
  }

  /** The lines for CloudWatch. */
  public static List<String> emf(Diagnosis site) {
    MachineMetrics machine = new MachineMetrics(() -> NOW, List.of("died"));
    boolean isLog = site.facts().recorders().stream().allMatch(RecorderFacts::isLog);
    machine.configured(
        isLog ? List.of("orders") : List.of(), isLog ? List.of() : List.of("orders"));
    machine.registered(true);
    machine.heartbeats(() -> 1_000_000_000L, () -> NOW);
    EmfFigures figures =
        new EmfFigures(new EmfReport.Whose("s", "a", List.of("orders")), machine, new Reloads());
    return figures.lines(look(site), 0);
  }

  private static LatestSample look(Diagnosis site) {
    WorkCounts work = new WorkCounts(Map.of(), new WorkCounts.Locks(0, 0, 0, 0));
    SiteSample look = new SiteSample(site, 2, work, Map.of(), LockSample.NONE);
    return LatestSample.of(look, NOW, 1, List.of());
  }
}
