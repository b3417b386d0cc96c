package dev.recorder.app.metrics;

import static dev.recorder.app.metrics.LogFamilies.seconds;

import dev.recorder.app.looks.LatestSample;
import dev.recorder.app.looks.SiteSample;
import dev.recorder.operate.diagnosis.Note;
import dev.recorder.operate.site.RecorderFacts;
import dev.recorder.operate.site.RecorderStatus.Backlog;
import dev.recorder.operate.site.WorkCounts;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The metrics of all hosts, from the last sample of the database. */
final class SampleFamilies {
  private final SiteSample look;
  private final List<RecorderFacts> recorders;
  private final Families families;

  private SampleFamilies(SiteSample look, Set<String> configured, Families families) {
    this.look = look;
    this.recorders =
        look.facts().recorders().stream().filter(each -> configured.contains(each.name())).toList();
    this.families = families;
  }

  /**
   * Adds the metrics.
   *
   * @param configured the recorders of this host's file
   * @param age the age of the sample
   */
  static void add(LatestSample found, Duration age, Set<String> configured, Families families) {
    families.gauge(
        "recorder_sample_ok",
        "1 if the last look at the database succeeded.",
        points -> points.add(found.ok() ? 1d : 0d));
    SiteSample look = found.look();
    if (look != null) {
      families.gauge(
          "recorder_sample_age_seconds",
          "Time since the last successful look at the database.",
          points -> points.add(seconds(age)));
      families.gauge(
          "recorder_sample_duration_seconds",
          "Duration of that look.",
          points -> points.add(seconds(Duration.ofNanos(found.tookNanos()))));
      new SampleFamilies(look, configured, families).add();
    }
  }

  private void add() {
    site();
    logs();
    work();
    requests();
    locks();
  }

  private void site() {
    families.gauge(
        "recorder_hosts_alive",
        "Hosts with current heartbeats.",
        points -> points.add((double) look.alive()));
    families.gauge(
        "recorder_hosts_wanted",
        "Number of hosts that should have each log or be able to take it, by this host's file.",
        points -> points.add((double) look.hostsWanted()));
    families.gauge(
        "recorder_hosts_files",
        "Number of different configurations of living hosts; should be 1.",
        points -> points.add((double) look.files()));
    families.gauge(
        "recorder_notes",
        "Warnings of `recorder status`, by kind.",
        points -> {
          for (Note.NoteKind kind : Note.NoteKind.values()) {
            points.add((double) look.notes(kind), "kind", kind.name().toLowerCase(Locale.ROOT));
          }
        });
  }

  /** Adds the metrics of logs. Recorders of requests have no active host. */
  private void logs() {
    gauge(
        "recorder_hosts_able",
        "Living hosts that have the recorder or could take it.",
        each -> each.isLog() ? (double) look.able(each) : null);
    families.gauge(
        "recorder_held",
        "1 if a living host is active for the recorder, even if no file has it.",
        points ->
            Stream.concat(recorders.stream().filter(RecorderFacts::isLog), look.leftBehind())
                .distinct()
                .forEach(each -> points.add(truth(look.isHeld(each)), "recorder", each.name())));
    gauge(
        "recorder_stuck",
        "1 if the active host states that it is stuck.",
        each -> each.isLog() ? truth(look.isStuck(each)) : null);
    gauge(
        "recorder_settled_age_seconds",
        "Time since any host settled the last slot, on the database's clock.",
        each -> orNull(look.settledAge(each)));
    gauge(
        "recorder_clearing_waits_seconds",
        "Time for which clearing has waited; 0 if it does not wait.",
        each -> each.isLog() ? seconds(look.clearingWaits(each)) : null);
    gauge(
        "recorder_verify_ok",
        "0 if the last scheduled verification found faults in the log; absent before the first.",
        each -> look.isVerified(each) ? truth(!look.isFaulty(each)) : null);
    gauge(
        "recorder_verify_age_seconds",
        "Time since the last scheduled verification ended, on the database's clock.",
        each -> orNull(look.verifiedAge(each)));
    gauge(
        "recorder_verify_overdue_seconds",
        "Time for which the next verification has been due; 0 if it is not.",
        each -> orNull(look.verifyOverdue(each)));
  }

  private void work() {
    gauge(
        "recorder_waiting",
        "Waiting rows or requests, counted up to 10000; absent while their table is locked.",
        each -> {
          Backlog backlog = each.status().backlog();
          return backlog == null ? null : (double) backlog.rows();
        });
    gauge(
        "recorder_oldest_waiting_seconds",
        "Age of the oldest unrecorded row or request; 0 if nothing waits.",
        each -> orNull(look.oldestWaits(each)));
  }

  private void requests() {
    families.gauge(
        "recorder_requests_present",
        "Requests by state, each counted up to 10000: due, to be tried again later, errors.",
        points ->
            recorders.forEach(
                each -> {
                  WorkCounts.Requests found = look.work().requests().get(each.name());
                  if (found != null) {
                    points.add((double) found.due(), "recorder", each.name(), "state", "due");
                    points.add(
                        (double) found.delayed(), "recorder", each.name(), "state", "delayed");
                    points.add((double) found.errors(), "recorder", each.name(), "state", "error");
                  }
                }));
  }

  private void locks() {
    WorkCounts.Locks locks = look.work().locks();
    families.gauge(
        "recorder_shared_locks",
        "Locks that applications hold now, by kind.",
        points -> {
          points.add((double) locks.advisory(), "kind", "advisory");
          points.add((double) locks.mutexes(), "kind", "mutex");
          points.add((double) locks.timeouts(), "kind", "timeout");
        });
    families.gauge(
        "recorder_shared_lock_waiters",
        "Sessions that wait for one of the advisory locks.",
        points -> points.add((double) locks.wanted()));
  }

  private static double truth(boolean is) {
    return is ? 1 : 0;
  }

  private static @Nullable Double orNull(@Nullable Duration duration) {
    return duration == null ? null : seconds(duration);
  }

  /** Returns the value of a metric for a recorder; null if there is none. */
  private interface Figure {
    @Nullable Double of(RecorderFacts recorder);
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
