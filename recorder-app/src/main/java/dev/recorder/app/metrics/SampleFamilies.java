package dev.recorder.app.metrics;

import static dev.recorder.app.metrics.LogFamilies.seconds;

import dev.recorder.operate.RecorderStatus;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the database says of all hosts, as of the last look at it. */
final class SampleFamilies {
  private final DatabaseLook look;
  private final List<RecorderStatus> recorders;
  private final Families families;

  private SampleFamilies(DatabaseLook look, Set<String> configured, Families families) {
    this.look = look;
    this.recorders =
        look.recorders().stream().filter(each -> configured.contains(each.name())).toList();
    this.families = families;
  }

  /**
   * Of the recorders that are configured here.
   *
   * @param age of what was found
   */
  static void add(
      DatabaseSample.Found found, Duration age, Set<String> configured, Families families) {
    families.gauge(
        "recorder_sample_ok",
        "1 if the last look at the database succeeded; what it says is then as old as that.",
        points -> points.add(found.ok() ? 1d : 0d));
    DatabaseLook look = found.look();
    if (look != null) {
      families.gauge(
          "recorder_sample_age_seconds",
          "Since the last look at the database that succeeded.",
          points -> points.add(seconds(age)));
      families.gauge(
          "recorder_sample_duration_seconds",
          "How long that look took.",
          points -> points.add(seconds(Duration.ofNanos(found.tookNanos()))));
      new SampleFamilies(look, configured, families).add();
    }
  }

  private void add() {
    families.gauge(
        "recorder_hosts_alive",
        "Hosts whose heartbeats arrive.",
        points -> points.add((double) look.alive().size()));
    families.gauge(
        "recorder_hosts_files",
        "Different configurations that living hosts have; more than 1: they should be the same.",
        points -> points.add((double) look.files()));
    gauge(
        "recorder_hosts_able",
        "Living hosts that have the recorder or could take it.",
        each -> (double) look.able(each));
    gauge(
        "recorder_held",
        "1 if a living host is active for the recorder.",
        each -> look.isHeld(each) ? 1d : 0d);
    gauge(
        "recorder_settled_age_seconds",
        "Since the last slot was settled, by any host, on the database's clock.",
        each -> orNull(look.settledAge(each)));
    gauge(
        "recorder_waiting",
        "Rows or requests that wait, counted up to 10000.",
        each -> each.backlog() == null ? null : (double) each.backlog().rows());
  }

  private static @Nullable Double orNull(@Nullable Duration duration) {
    return duration == null ? null : seconds(duration);
  }

  /** A figure of a recorder; null if it has none. */
  private interface Figure {
    @Nullable Double of(RecorderStatus recorder);
  }

  private void gauge(String name, String help, Figure figure) {
    families.gauge(
        name,
        help,
        points ->
            recorders.forEach(
                each -> {
                  Double value = figure.of(each);
                  if (value != null) {
                    points.add(value, "recorder", each.name());
                  }
                }));
  }
}
