package dev.recorder.audit.objects;

/** A verification was broken off: nothing is proved either way. */
public final class UnfinishedException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final boolean lasting;

  /** Broken off for a reason that passes, in one sentence without its end. */
  public UnfinishedException(String why) {
    this(why, false);
  }

  /**
   * Broken off.
   *
   * @param lasting whether it would be again
   */
  UnfinishedException(String why, boolean lasting) {
    super(why, null, false, false);
    this.lasting = lasting;
  }

  /** Whether the reason does not pass by itself. */
  public boolean isLasting() {
    return lasting;
  }
}
