package dev.recorder.simulation;

/** A run has shown something that the product promises never to show. */
final class BrokenPromise extends RuntimeException {
  private static final long serialVersionUID = 1L;

  BrokenPromise(String message) {
    super(message);
  }
}
