package dev.recorder.app.metrics;

import dev.recorder.metrics.Histogram;
import dev.recorder.metrics.LogMetrics;
import dev.recorder.metrics.MachineMetrics;
import dev.recorder.metrics.Role;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The metrics of each log: this host's role and work. */
final class LogFamilies {
  private final MachineMetrics machine;
  private final Map<String, LogMetrics> logs;
  private final Families families;

  private LogFamilies(MachineMetrics machine, Families families) {
    this.machine = machine;
    this.logs = machine.logs();
    this.families = families;
  }

  static void add(MachineMetrics machine, Families families) {
    LogFamilies logs = new LogFamilies(machine, families);
    logs.present();
    logs.done();
    logs.troubles();
  }

  private void present() {
    families.gauge(
        "recorder_role",
        "1 for the role of this host for the recorder, 0 for the others.",
        points ->
            logs.forEach(
                (name, log) -> {
                  Role is = log.role();
                  for (Role role : Role.values()) {
                    String word = role.name().toLowerCase(Locale.ROOT);
                    points.add(role == is ? 1d : 0d, "recorder", name, "role", word);
                  }
                }));
    gauge(
        "recorder_active",
        "1 while this host is active for the recorder and its lease lasts.",
        log -> log.isActive() ? 1d : 0d);
    gauge(
        "recorder_epoch",
        "Number of this host's last term; 0 if none.",
        log -> (double) log.epoch());
    gauge(
        "recorder_last_slot",
        "Last settled slot that this host knows from its terms; 0 if none.",
        log -> (double) log.lastSlot());
    gauge(
        "recorder_progress_age_seconds",
        "Time since the writer last settled a slot or had nothing to do, while this host is active.",
        log -> log.progressAt() == null ? null : seconds(machine.since(log.progressAt())));
    gauge(
        "recorder_last_takeover_gap_seconds",
        "Time without an active host before this host's last term, if a host was active before.",
        log -> log.lastGap() == null ? null : seconds(log.lastGap()));
  }

  private void done() {
    counter("recorder_slots", "Slots written and settled by this host.", LogMetrics::slots);
    counter(
        "recorder_slots_adopted",
        "Slots settled by this host that another host had written.",
        LogMetrics::adopted);
    counter(
        "recorder_rows", "Rows of the slots written and settled by this host.", LogMetrics::rows);
    counter(
        "recorder_bytes",
        "Bytes of the rows written and settled by this host, before compression.",
        LogMetrics::bytes);
    counter(
        "recorder_object_bytes",
        "Bytes of the objects written and settled by this host.",
        LogMetrics::objectBytes);
    histogram(
        "recorder_put_seconds",
        "Duration of PUTs of slots that S3 answered with 200 or 412.",
        LogMetrics::put);
    histogram(
        "recorder_settle_seconds",
        "Duration of transactions that settled a slot in the database.",
        LogMetrics::settle);
  }

  private void troubles() {
    families.counters(
        "recorder_errors",
        "Errors of the writer by kind.",
        logs,
        "kind",
        log -> log.errors().read());
    families.counters(
        "recorder_takeovers",
        "Terms begun by this host, by reason.",
        logs,
        "reason",
        log -> log.takeovers().read());
    families.histogram(
        "recorder_takeover_gap_seconds",
        "Time without an active host before this host took over, for all recorders.",
        points -> machine.gaps().forEach((reason, gap) -> points.add(gap, "reason", reason)));
  }

  private void gauge(String name, String help, Function<LogMetrics, @Nullable Double> value) {
    families.gauges(name, help, logs, value);
  }

  private void counter(String name, String help, ToDoubleFunction<LogMetrics> value) {
    families.counter(
        name,
        help,
        points ->
            logs.forEach(
                (recorder, log) -> points.add(value.applyAsDouble(log), "recorder", recorder)));
  }

  private void histogram(String name, String help, Function<LogMetrics, Histogram> value) {
    families.histogram(
        name,
        help,
        points ->
            logs.forEach((recorder, log) -> points.add(value.apply(log), "recorder", recorder)));
  }

  static double seconds(Duration duration) {
    return duration.toNanos() / 1e9;
  }
}
