package dev.recorder.testing.network;

import java.util.function.BooleanSupplier;

/** A place that threads pass while it is open and wait at while it is shut. Thread-safe. */
final class Gate {
  private boolean open = true;

  static Gate thatIsShut() {
    Gate gate = new Gate();
    gate.shut();
    return gate;
  }

  synchronized void open() {
    open = true;
    notifyAll();
  }

  synchronized void shut() {
    open = false;
  }

  /** Wakes those who wait, so that they look again whether they still have to. */
  synchronized void nudge() {
    notifyAll();
  }

  /** Returns when the gate is open, or once {@code givenUp}. */
  synchronized void pass(BooleanSupplier givenUp) throws InterruptedException {
    while (!open && !givenUp.getAsBoolean()) {
      wait();
    }
  }
}
