package dev.recorder.machine.term;

import dev.recorder.leadership.postgres.Condition;
import dev.recorder.metrics.Readiness;
import dev.recorder.metrics.Readiness.ReadinessState;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whether an operator wants this machine to have nothing. Said by the control loop's thread. */
public final class Draining {
  private final String machine;
  private volatile String why = "";

  public Draining(String machine) {
    this.machine = machine;
  }

  /** From now on; {@code reason} is empty if that is over. */
  public void because(String reason) {
    why = reason;
  }

  public boolean isOn() {
    return !why.isEmpty();
  }

  /** How ready a recorder is, as was found, and as this machine is drained. For any thread. */
  public Readiness over(Readiness found, long now) {
    String reason = why;
    return reason.isEmpty() || !found.isReady()
        ? found
        : found.next(
            ReadinessState.UNABLE,
            reason + "; '" + Condition.UNDRAIN + machine + "' ends that, and a restart",
            now);
  }

  /** Why the recorder should leave this machine and has not yet; null if it need not. */
  public @Nullable String keeps(RecorderWorker worker) {
    return isOn() && !worker.standsBy() ? why : null;
  }

  /** The recorders of those who are at work. */
  public static List<String> active(Collection<RecorderWorker> workers) {
    return workers.stream()
        .filter(worker -> !worker.standsBy())
        .map(worker -> worker.settings().name().value())
        .toList();
  }
}
