package dev.recorder.requests.document;

import java.util.function.Supplier;

/**
 * Thrown out of a worker at the call whose answer is not there yet. An error, so that no worker
 * takes it for a failure.
 */
final class Suspended extends Error {
  private static final long serialVersionUID = 1L;

  private final transient Supplier<Object> call;

  Suspended(Supplier<Object> call) {
    super("waits for an answer", null, false, false);
    this.call = call;
  }

  Supplier<Object> call() {
    return call;
  }
}
