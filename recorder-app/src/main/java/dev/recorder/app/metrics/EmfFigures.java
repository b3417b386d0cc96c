package dev.recorder.app.metrics;

import static dev.recorder.app.metrics.LogFamilies.seconds;

import dev.recorder.app.looks.LatestSample;
import dev.recorder.app.looks.SiteSample;
import dev.recorder.metrics.LogMetrics;
import dev.recorder.metrics.MachineMetrics;
import dev.recorder.metrics.RequestMetrics;
import dev.recorder.metrics.Role;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.ToLongFunction;

/**
 * The metrics of a host for CloudWatch: one line for the host, and one for each chosen recorder.
 * Counts are relative to the line before, since CloudWatch adds them up. Not thread-safe.
 */
final class EmfFigures {
  /** The reasons of takeovers that were not ordered. */
  private static final Set<String> FAULTS = Set.of("died", "silent", "stuck");

  private static final List<List<String>> OF_HOST = List.of(List.of("Site", "Host"));
  private static final List<List<String>> OF_SITE = List.of(List.of("Site"));
  private static final List<List<String>> OF_BOTH =
      List.of(List.of("Site", "Host"), List.of("Site"));
  private static final List<List<String>> OF_RECORDER = List.of(List.of("Site", "Recorder"));

  private final EmfReport.Whose whose;
  private final MachineMetrics machine;
  private final Reloads reloads;
  private final Map<String, Long> before = new HashMap<>();

  EmfFigures(EmfReport.Whose whose, MachineMetrics machine, Reloads reloads) {
    this.whose = whose;
    this.machine = machine;
    this.reloads = reloads;
  }

  /** Returns the lines to print now. Leaves out an outdated sample. */
  List<String> lines(LatestSample found, long atMillis) {
    SiteSample look = found.ok() ? found.look() : null;
    List<String> lines = new ArrayList<>();
    EmfLine host = line(atMillis);
    host(host);
    both(host, look != null);
    if (look != null) {
      new EmfSite(look, configured()).add(host.under(OF_SITE));
    }
    lines.add(host.toString());
    for (String recorder : whose.recorders()) {
      EmfLine own = line(atMillis).of("Recorder", recorder);
      LogMetrics log = machine.logs().get(recorder);
      RequestMetrics requests = machine.requests().get(recorder);
      EmfLine.FigureGroup group = own.under(OF_RECORDER);
      if (log != null) {
        log(recorder, log, group);
      } else if (requests != null) {
        requests(recorder, requests, group);
      } else {
        continue; // The recorder was removed from the configuration.
      }
      if (look != null) {
        new EmfSite(look, Set.of(recorder)).add(recorder, group);
      }
      lines.add(own.toString());
    }
    return lines;
  }

  private EmfLine line(long atMillis) {
    return new EmfLine(atMillis).of("Site", whose.site()).of("Host", whose.host());
  }

  private Set<String> configured() {
    Set<String> names = new HashSet<>(machine.logs().keySet());
    names.addAll(machine.requests().keySet());
    return names;
  }

  private void host(EmfLine line) {
    List<LogMetrics> logs = List.copyOf(machine.logs().values());
    List<RequestMetrics> requests = List.copyOf(machine.requests().values());
    Duration beat = machine.heartbeatAge();
    line.under(OF_HOST)
        .count("ActiveLogs", logs.stream().filter(LogMetrics::isActive).count())
        .count("UnableLogs", logs.stream().filter(log -> log.role() == Role.UNABLE).count())
        .count("SlotsSettled", since("slots", sum(logs, LogMetrics::slots)))
        .count("RowsRecorded", since("rows", sum(logs, LogMetrics::rows)))
        .bytes("BytesRecorded", since("bytes", sum(logs, LogMetrics::bytes)))
        .count("WriterErrors", since("errors", sum(logs, EmfFigures::errors)))
        .count("UnitsRetried", since("retried", sum(requests, EmfFigures::retried)))
        .count("RequestsCompleted", since("complete", sum(requests, EmfFigures::complete)))
        .seconds("LeaseLeft", seconds(machine.lease()));
    if (beat != null) {
      line.under(OF_HOST).seconds("HeartbeatAge", seconds(beat));
    }
  }

  /** Adds metrics for alarms on the whole site and on the host. */
  private void both(EmfLine line, boolean looked) {
    List<LogMetrics> logs = List.copyOf(machine.logs().values());
    List<RequestMetrics> requests = List.copyOf(machine.requests().values());
    line.under(OF_BOTH)
        .count("TakeoversByFault", since("faults", sum(logs, EmfFigures::faults)))
        .count("SessionsLost", since("lost", machine.sessionsLost()))
        .count("RequestErrors", since("failed", sum(requests, EmfFigures::failed)))
        .count("UnableRequests", requests.stream().filter(each -> !machine.processes(each)).count())
        .count("ReloadFailed", reloads.isOk() ? 0 : 1)
        .count("DatabaseNotLookedAt", looked ? 0 : 1)
        .seconds("LongestStandstill", standstill(logs));
  }

  private void log(String name, LogMetrics log, EmfLine.FigureGroup group) {
    group
        .count("Active", log.isActive() ? 1 : 0)
        .count("SlotsSettled", since(name + "/slots", log.slots()))
        .count("RowsRecorded", since(name + "/rows", log.rows()))
        .bytes("BytesRecorded", since(name + "/bytes", log.bytes()))
        .count("WriterErrors", since(name + "/errors", errors(log)))
        .count("TakeoversByFault", since(name + "/faults", faults(log)));
  }

  private void requests(String name, RequestMetrics requests, EmfLine.FigureGroup group) {
    group
        .count("Able", machine.processes(requests) ? 1 : 0)
        .count("RequestsCompleted", since(name + "/complete", complete(requests)))
        .count("RequestErrors", since(name + "/failed", failed(requests)))
        .count("UnitsRetried", since(name + "/retried", retried(requests)));
  }

  private static long errors(LogMetrics log) {
    return log.errors().read().values().stream().mapToLong(Long::longValue).sum();
  }

  private static long faults(LogMetrics log) {
    return log.takeovers().read().entrySet().stream()
        .filter(each -> FAULTS.contains(each.getKey()))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  private static long complete(RequestMetrics requests) {
    return requests.requests().read().getOrDefault(RequestMetrics.COMPLETE, 0L);
  }

  private static long failed(RequestMetrics requests) {
    return requests.requests().read().getOrDefault(RequestMetrics.ERROR, 0L);
  }

  private static long retried(RequestMetrics requests) {
    return requests.units().read().getOrDefault(RequestMetrics.RETRIED, 0L);
  }

  private double standstill(List<LogMetrics> logs) {
    return logs.stream()
        .map(LogMetrics::progressAt)
        .filter(Objects::nonNull)
        .mapToDouble(at -> seconds(machine.since(at)))
        .max()
        .orElse(0);
  }

  private static <T> long sum(List<T> all, ToLongFunction<T> figure) {
    return all.stream().mapToLong(figure).sum();
  }

  /**
   * Returns the growth of a count since the last call. The counts of a recorder that is removed are
   * lost, so the growth is never below 0.
   */
  private long since(String what, long now) {
    Long last = before.put(what, now);
    return Math.max(0, now - (last == null ? 0 : last));
  }
}
