package dev.recorder.machine.term;

import dev.recorder.leadership.postgres.Condition;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whether an operator wants this machine to have nothing. For the control loop's thread. */
public final class Draining {
  private final String machine;
  private String why = "";

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

  /** Why the recorder cannot be taken here: as was found, or else since this machine is drained. */
  public @Nullable String over(@Nullable String unable, RecorderWorker worker) {
    return unable == null && isOn() && worker.standsBy()
        ? why + "; '" + Condition.UNDRAIN + machine + "' ends that, and a restart"
        : unable;
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
