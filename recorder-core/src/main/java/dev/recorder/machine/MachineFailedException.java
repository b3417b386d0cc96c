package dev.recorder.machine;

/**
 * An unforeseen failure on one of the host's threads has ended the host; the cause is that failure.
 * The host's sessions are closed, so peers take its recorders over at once.
 */
public final class MachineFailedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  MachineFailedException(String machine, Throwable cause) {
    super("machine " + machine + " has ended itself: " + cause, cause);
  }
}
