package dev.recorder.app.bench;

import dev.recorder.app.harness.Host;
import dev.recorder.app.harness.LogState;
import dev.recorder.app.harness.Observer;
import dev.recorder.app.harness.Takeover;
import java.time.Duration;
import java.util.List;

/**
 * One takeover, measured.
 *
 * @param millis from just before the fault to the successor's first settled slot
 * @param from the host that the fault befell
 * @param workingNanos when the successor was at work
 * @param receipt what the product says of it
 */
record TakeoverRun(long millis, Host from, long workingNanos, Takeover receipt) {
  private static final Duration DEADLINE = Duration.ofSeconds(60);

  /** Strikes {@code active}, waits for {@code standby} to be at work, and brings back the first. */
  static TakeoverRun of(TakeoverFault fault, Host active, Host standby, Observer observer)
      throws Exception {
    long start = System.nanoTime();
    fault.strike(active);
    LogState state = observer.awaitWorking(standby, DEADLINE);
    long millis = Duration.ofNanos(state.seenNanos() - start).toMillis();
    List<Takeover> receipts = observer.takeovers();
    fault.undo(active);
    observer.awaitReady(active, DEADLINE);
    return new TakeoverRun(millis, active, state.seenNanos(), receipts.get(receipts.size() - 1));
  }
}
