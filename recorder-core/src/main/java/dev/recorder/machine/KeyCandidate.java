package dev.recorder.machine;

import dev.recorder.leadership.Coordinator;
import dev.recorder.time.Ticker;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Applies the state of a recorder's election key: without the key, this host is unable to take the
 * recorder. Methods are called on the control loop's thread, except {@link #tell}.
 */
final class KeyCandidate {
  private final int lockId;
  private final RecorderRegistry registry;
  private final Coordinator coordinator;
  private final Consumer<Runnable> machine;
  private final Ticker ticker;

  /**
   * @param machine runs messages on the control loop's thread
   */
  KeyCandidate(
      int lockId,
      RecorderRegistry registry,
      Coordinator coordinator,
      Consumer<Runnable> machine,
      Ticker ticker) {
    this.lockId = lockId;
    this.registry = registry;
    this.coordinator = coordinator;
    this.machine = machine;
    this.ticker = ticker;
  }

  /** Runs {@code message} on the control loop's thread, if the recorder is still here. */
  void tell(Runnable message) {
    machine.accept(
        () -> {
          if (registry.has(lockId)) {
            message.run();
          }
        });
  }

  /** Whether the control session is up. */
  boolean isUp() {
    return coordinator.isConnected();
  }

  /** Why this host cannot take the recorder, apart from the key; null if it can. */
  @Nullable String unable() {
    return registry.unable(lockId);
  }

  /**
   * Tells the coordinator why this host cannot take the recorder, the key included; null if it can.
   */
  void able(@Nullable String unable) {
    coordinator.setUnable(lockId, unable, ticker.nanos());
  }

  /**
   * Has the slot in progress settled and the recorder released; returns false if it is not held.
   */
  boolean leave(String why) {
    registry.worker(lockId).leave(registry.worker(lockId).epoch(), why);
    return coordinator.holds(lockId);
  }

  /** Ends the work at once and releases the recorder; returns false if it is not held. */
  boolean drop(String why) {
    long epoch = registry.worker(lockId).epoch();
    registry.worker(lockId).end(epoch, why);
    coordinator.release(lockId, epoch, why);
    return coordinator.holds(lockId);
  }
}
