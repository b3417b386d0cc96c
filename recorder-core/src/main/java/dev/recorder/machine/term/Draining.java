package dev.recorder.machine.term;

import dev.recorder.leadership.postgres.Condition;
import dev.recorder.metrics.Readiness;
import dev.recorder.metrics.Readiness.ReadinessState;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whether an operator has drained this host. Set on the control loop's thread. */
public final class Draining {
  private final String machine;
  private volatile String why = "";

  public Draining(String machine) {
    this.machine = machine;
  }

  /** Drains the host for {@code reason}; an empty reason ends the draining. */
  public void because(String reason) {
    why = reason;
  }

  public boolean isOn() {
    return !why.isEmpty();
  }

  /** Returns the readiness with draining applied: a drained host is unable. For any thread. */
  public Readiness over(Readiness found, long now) {
    String reason = why;
    return reason.isEmpty() || !found.isReady()
        ? found
        : found.next(
            ReadinessState.UNABLE,
            reason + "; '" + Condition.UNDRAIN + machine + "' ends that, and a restart",
            now);
  }

  /**
   * The reason why the recorder should leave this host and has not yet; null if it need not leave.
   */
  public @Nullable String keeps(RecorderWorker worker) {
    return isOn() && !worker.standsBy() ? why : null;
  }

  /** The names of the recorders that have a term here. */
  public static List<String> active(Collection<RecorderWorker> workers) {
    return workers.stream()
        .filter(worker -> !worker.standsBy())
        .map(worker -> worker.settings().name().value())
        .toList();
  }
}
