package dev.recorder.app.metrics;

import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a host exports of its last look at the database, and goes on exporting if it cannot look.
 */
final class LookedAt {
  private LookedAt() {}

  /** The names of these metrics. */
  static Set<String> metrics() {
    Families ofLooks = new Families();
    SampleFamilies.add(Example.found(), Duration.ZERO, Set.of("orders1", "jobs"), ofLooks);
    Set<String> names =
        ofLooks.snapshots().stream()
            .map(each -> each.getMetadata().getName())
            .collect(Collectors.toSet());
    names.removeIf(name -> name.startsWith("recorder_sample_"));
    names.add("recorder_paused");
    return names;
  }
}
