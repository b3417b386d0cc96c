package dev.recorder.lock;

/** The lease is lost, or ends too soon for the next step. */
public final class LeaseLostException extends LockException {
  private static final long serialVersionUID = 1L;

  public LeaseLostException(String lock, String message) {
    super(lock, Kind.LOST, message);
  }
}
