package dev.recorder.machine;

import static dev.recorder.testing.Patience.A_MINUTE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.metrics.MachineMetrics;

/** A machine and the thread that runs it. */
public final class RunningMachine {
  private final Machine machine;
  private final Thread thread;

  /** Starts it. */
  public RunningMachine(Machine machine) {
    this.machine = machine;
    this.thread =
        new Thread(
            () -> {
              try {
                machine.run();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    thread.start();
  }

  /** What it has counted. */
  public MachineMetrics metrics() {
    return machine.metrics();
  }

  /** Returns when it has ended. */
  public void stop() throws InterruptedException {
    machine.stop();
    thread.join(A_MINUTE.toMillis());
    assertThat(thread.isAlive()).as("still runs").isFalse();
  }
}
