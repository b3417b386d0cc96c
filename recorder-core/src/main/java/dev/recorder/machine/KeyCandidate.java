package dev.recorder.machine;

import dev.recorder.leadership.Coordinator;
import dev.recorder.time.Ticker;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What happens to a recorder as its key comes and goes: while the machine does not have the key, it
 * is unable to have the recorder. On the machine's thread, except {@link #tell}.
 */
final class KeyCandidate implements KeyElection.Candidate {
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

  @Override
  public void tell(Runnable message) {
    machine.accept(
        () -> {
          if (registry.has(lockId)) {
            message.run();
          }
        });
  }

  @Override
  public boolean isUp() {
    return coordinator.isConnected();
  }

  @Override
  public void able(@Nullable String unable) {
    coordinator.setUnable(lockId, unable, ticker.nanos());
  }

  @Override
  public boolean leave(String why) {
    registry.worker(lockId).leave(registry.worker(lockId).epoch(), why);
    return coordinator.holds(lockId);
  }

  @Override
  public boolean drop(String why) {
    long epoch = registry.worker(lockId).epoch();
    registry.worker(lockId).end(epoch, why);
    coordinator.release(lockId, epoch, why);
    return coordinator.holds(lockId);
  }
}
