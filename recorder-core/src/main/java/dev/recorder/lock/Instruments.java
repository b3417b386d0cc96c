package dev.recorder.lock;

import dev.recorder.time.Ticker;
import java.util.function.Consumer;

/** The clock that measures leases, and the listener for their events. */
public record Instruments(Ticker ticker, LockListener listener) {
  /** Instruments with the system's ticker and no listener. */
  public static final Instruments PLAIN = new Instruments(Ticker.system(), LockListener.NONE);

  public long nanos() {
    return ticker.nanos();
  }

  /** Calls the listener and ignores its exceptions. */
  void tell(Consumer<LockListener> event) {
    try {
      event.accept(listener);
    } catch (RuntimeException | Error ignored) {
      // A failing metric must not cost a lock.
    }
  }
}
