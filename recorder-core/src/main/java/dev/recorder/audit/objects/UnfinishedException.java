package dev.recorder.audit.objects;

/** A verification ended unfinished, and proves nothing. */
public final class UnfinishedException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final boolean lasting;

  /** For a reason that passes, in one sentence without its full stop. */
  public UnfinishedException(String why) {
    this(why, false);
  }

  /**
   * For a reason that may last.
   *
   * @param lasting whether a repetition would fail, too
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
