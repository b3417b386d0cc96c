package dev.recorder.audit.objects;

/** A verification was broken off: nothing is proved either way. */
public final class UnfinishedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Broken off for a reason, in one sentence without its end. */
  public UnfinishedException(String why) {
    super(why, null, false, false);
  }
}
