package dev.recorder.machine;

import dev.recorder.leadership.Coordinator;
import dev.recorder.time.Ticker;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What happens to a recorder as its key comes and goes: while the machine does not have the key, it
 * is unable to have the recorder. On the machine's thread, except {@link #tell}.
 */
final class KeyCandidate {
  private final int lockId;
  private final RecorderRegistry registry;
  private final Coordinator coordinator;
  private final Consumer<Runnable> machine;
  private final Ticker ticker;

  /**
   * @param machine runs messages on its thread
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

  /** Runs {@code message} on the machine's thread, if the recorder is still here. */
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

  /** Why the recorder cannot be taken here, key or not; null if it can. */
  @Nullable String unable() {
    return registry.unable(lockId);
  }

  /** Whether the recorder can be taken here with regard to the key: why not, or null. */
  void able(@Nullable String unable) {
    coordinator.setUnable(lockId, unable, ticker.nanos());
  }

  /** Finish what is under way and release the recorder; false if it is not held. */
  boolean leave(String why) {
    registry.worker(lockId).leave(registry.worker(lockId).epoch(), why);
    return coordinator.holds(lockId);
  }

  /** Begin nothing more and release the recorder; false if it is not held. */
  boolean drop(String why) {
    long epoch = registry.worker(lockId).epoch();
    registry.worker(lockId).end(epoch, why);
    coordinator.release(lockId, epoch, why);
    return coordinator.holds(lockId);
  }
}
