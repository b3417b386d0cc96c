package dev.recorder.app.metrics;

import static dev.recorder.app.metrics.LogFamilies.seconds;

import dev.recorder.metrics.MachineMetrics;
import dev.recorder.metrics.RequestMetrics;
import dev.recorder.metrics.Role;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The metrics of this host: its session, its configuration, its requests. */
final class HostFamilies {
  private final MachineMetrics machine;
  private final Families families;

  private HostFamilies(MachineMetrics machine, Families families) {
    this.machine = machine;
    this.families = families;
  }

  static void add(MachineMetrics machine, Reloads reloads, Families families) {
    HostFamilies host = new HostFamilies(machine, families);
    host.session();
    host.reloads(reloads);
    host.requests();
    host.pauses();
  }

  private void session() {
    gauge(
        "recorder_registered",
        "1 while this host has a control session with the database.",
        machine.isRegistered() ? 1 : 0);
    gauge(
        "recorder_lease_seconds",
        "Time for which this host may start writes without another heartbeat; 0: it may not.",
        seconds(machine.lease()));
    families.gauge(
        "recorder_heartbeat_age_seconds",
        "Time since this host sent its last confirmed heartbeat; absent before the first.",
        points -> {
          Duration age = machine.heartbeatAge();
          if (age != null) {
            points.add(seconds(age));
          }
        });
    gauge(
        "recorder_control_turn_age_seconds",
        "Time since the last turn of the control loop; /healthz uses it.",
        seconds(machine.sinceTurn()));
    families.counter(
        "recorder_sessions_lost",
        "Control sessions lost, each with all its locks.",
        points -> points.add((double) machine.sessionsLost()));
    gauge(
        "recorder_locks_held",
        "Logs of which this host has a term.",
        (double) machine.logs().values().stream().filter(log -> log.role() == Role.ACTIVE).count());
  }

  private void reloads(Reloads reloads) {
    gauge(
        "recorder_reload_ok",
        "0 if the changed configuration could not be used.",
        reloads.isOk() ? 1 : 0);
    families.counter(
        "recorder_reloads",
        "Changed configurations by result.",
        points -> {
          points.add((double) reloads.allDone(), "result", "done");
          points.add((double) reloads.allFailed(), "result", "failed");
        });
  }

  private void pauses() {
    Set<String> names = new TreeSet<>(machine.logs().keySet());
    names.addAll(machine.requests().keySet());
    families.gauge(
        "recorder_paused",
        "1 if the recorder is paused; this host looks each second.",
        points ->
            names.forEach(name -> points.add(machine.isPaused(name) ? 1d : 0d, "recorder", name)));
  }

  private void requests() {
    Map<String, RequestMetrics> all = machine.requests();
    families.gauges(
        "recorder_requests_able",
        "1 if this host is able to process the recorder's requests, and has its session.",
        all,
        each -> machine.processes(each) ? 1d : 0d);
    families.counters(
        "recorder_requests",
        "Requests settled by this host, by result.",
        all,
        "result",
        each -> each.requests().read());
    families.counters(
        "recorder_units",
        "Units of requests begun by this host, by result.",
        all,
        "result",
        each -> each.units().read());
  }

  private void gauge(String name, String help, double value) {
    families.gauge(name, help, points -> points.add(value));
  }
}
