package dev.recorder.machine;

/**
 * A machine has ended itself after a failure that nobody foresaw, on whichever of its threads; the
 * cause is that failure. Its sessions are closed, so peers take its recorders over at once.
 */
public final class MachineFailedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  MachineFailedException(String machine, Throwable cause) {
    super("machine " + machine + " has ended itself: " + cause, cause);
  }
}
