package dev.recorder.app.http;

import dev.recorder.metrics.LogMetrics;
import dev.recorder.metrics.MachineMetrics;
import dev.recorder.metrics.Readiness.ReadinessState;
import dev.recorder.metrics.RequestMetrics;
import dev.recorder.metrics.Role;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The health checks for load balancers and supervisors. The answers have a status and a word, and
 * nothing else.
 */
public final class HealthChecks {
  /**
   * A turn of the control loop sends a few statements or opens a session. Each of these is limited
   * to less than 3 s.
   */
  static final Duration TURN_WITHIN = Duration.ofSeconds(30);

  /** Before its first turn a host creates its tables, and may wait for other hosts that do. */
  static final Duration SET_UP_WITHIN = Duration.ofMinutes(10);

  private final MachineMetrics metrics;

  HealthChecks(MachineMetrics metrics) {
    this.metrics = metrics;
  }

  /** Whether the control loop runs. */
  public static boolean isAlive(MachineMetrics metrics) {
    Duration limit = metrics.hasTurned() ? TURN_WITHIN : SET_UP_WITHIN;
    return metrics.sinceTurn().compareTo(limit) <= 0;
  }

  /** Answers 200 while the control loop runs, even if the database is down. */
  HttpAnswer alive() {
    return isAlive(metrics) ? HttpAnswer.text(200, "alive") : HttpAnswer.text(503, "hangs");
  }

  /**
   * Answers 200 if this host works on each recorder, or would do so at once if the other hosts
   * failed. A log that cannot run here counts as ready if it cannot run on any other host either,
   * since other hosts are not better.
   */
  HttpAnswer ready() {
    boolean logs =
        metrics.logs().entrySet().stream().allMatch(log -> isReady(log.getKey(), log.getValue()));
    boolean requests = metrics.requests().values().stream().allMatch(RequestMetrics::isAble);
    return metrics.isThere() && logs && requests
        ? HttpAnswer.text(200, "ready")
        : HttpAnswer.text(503, "not ready");
  }

  private boolean isReady(String name, LogMetrics log) {
    boolean isChecked = log.readiness().state() != ReadinessState.CHECKING;
    return log.role() != Role.UNABLE || (isChecked && !metrics.isElsewhere(name));
  }

  /** Answers 200 if this host works on the recorder now. */
  HttpAnswer recorder(String name) {
    LogMetrics log = metrics.logs().get(name);
    RequestMetrics requests = metrics.requests().get(name);
    if (log == null && requests == null) {
      return HttpAnswer.NOT_FOUND;
    }
    String active = metrics.isPaused(name) ? "active, and paused" : "active";
    return isActive(log, requests)
        ? HttpAnswer.text(200, active)
        : HttpAnswer.text(503, "not active");
  }

  private boolean isActive(@Nullable LogMetrics log, @Nullable RequestMetrics requests) {
    return log != null ? log.isActive() : requests != null && metrics.processes(requests);
  }
}
