package dev.recorder.slotlog;

import org.jspecify.annotations.Nullable;

/** When rows that do not fill a slot have waited long enough for company. */
final class Linger {
  /**
   * How often a new term looks for its first rows at short intervals, before it falls into step.
   */
  private static final int EAGER_READS = 20;

  private final WriterPolicy policy;

  /** The first read of a term takes what there is: a takeover is no time to wait. */
  private boolean hurried = true;

  private int eagerReads = EAGER_READS;
  private long lastReadAt;
  private @Nullable Long waitingSince;

  Linger(WriterPolicy policy) {
    this.policy = policy;
  }

  void reads(long now) {
    lastReadAt = now;
  }

  /** Whether a read at {@code now} takes rows that do not fill a slot. */
  boolean takesPart(long now) {
    boolean lingered = waitingSince != null && now - waitingSince >= policy.linger().toNanos();
    return hurried || lingered || policy.linger().compareTo(policy.poll()) <= 0;
  }

  void tookRows() {
    hurried = false;
    waitingSince = null;
  }

  /** Nothing was taken; {@code someWait} tells whether there was something. */
  void tookNothing(boolean someWait, long now) {
    if (!someWait) {
      waitingSince = null;
    } else if (waitingSince == null) {
      waitingSince = now;
    }
  }

  /** After a takeover rows of its moment are on their way: the first ones are looked for soon. */
  long nextReadAt() {
    boolean eager = hurried && eagerReads-- > 0;
    return lastReadAt + (eager ? policy.firstRetry() : policy.poll()).toNanos();
  }
}
