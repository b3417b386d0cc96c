package dev.recorder.app.page;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import dev.recorder.app.looks.LatestSample;
import dev.recorder.app.looks.LockSample;
import dev.recorder.app.looks.SiteSample;
import dev.recorder.app.looks.SiteTimeSeries;
import dev.recorder.app.page.PageDocumentBuilder.Self;
import dev.recorder.metrics.MachineMetrics;
import dev.recorder.operate.diagnosis.Diagnosis;
import dev.recorder.operate.site.WorkCounts;
import java.util.List;
import java.util.Map;

/** A site as the page of host {@code b} shows it. */
public final class RenderedPage {
  private static final long NOW = 100_000_000_000L;

  private RenderedPage() {}

  /** The document that the page asks for. */
  public static String json(Diagnosis site) {
    MachineMetrics metrics = new MachineMetrics(() -> NOW, List.of("died"));
    metrics.registered(true);
    metrics.heartbeats(() -> 1_000_000_000L, () -> NOW);
    WorkCounts work = new WorkCounts(Map.of(), new WorkCounts.Locks(0, 0, 0, 0));
    LatestSample sample =
        LatestSample.of(
            new SiteSample(site, 2, work, Map.of(), LockSample.NONE), NOW, 1, List.of());
    PageDocument board =
        new PageDocumentBuilder(new Self("b", "1.0"), metrics, sample, new SiteTimeSeries(), NOW)
            .make();
    try {
      return new ObjectMapper()
          .setPropertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .writeValueAsString(board);
    } catch (JsonProcessingException impossible) {
      throw new AssertionError(impossible);
    }
  }
}
