package dev.recorder.lock;

import dev.recorder.time.Ticker;
import java.util.function.Consumer;

/** By what time leases are measured, and who is told what happens to them. */
public record Instruments(Ticker ticker, LockListener listener) {
  /** The time of this JVM, and nobody. */
  public static final Instruments PLAIN = new Instruments(Ticker.system(), LockListener.NONE);

  public long nanos() {
    return ticker.nanos();
  }

  /** Tells the listener, whatever it throws. */
  void tell(Consumer<LockListener> event) {
    try {
      event.accept(listener);
    } catch (RuntimeException | Error ignored) {
      // A metric that fails must not take a lock with it.
    }
  }
}
