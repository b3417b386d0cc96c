package dev.recorder.requests;

import java.time.Duration;

/**
 * Decides when the workers of one recorder on one machine begin to look for work: a state machine
 * without threads and without a clock; times are nanoseconds of a monotonic one.
 *
 * <p>However many workers are idle, one of them at a time looks into the table. If its first claim
 * brings something the next idle one looks at once, so that all are at work after a few claims. If
 * a pass settles nothing, a pause follows, which grows from {@link #SHORTEST_PAUSE} to {@link
 * #LONGEST_PAUSE}. A notification ends it early, but never before the shortest pause is over: no
 * number of notifications, and no number of workers, makes the rows of a busy entity spin.
 *
 * <p>A worker says {@link #begun}, then once {@link #claimed} or not, and in the end {@link #ended}
 * or {@link #failed}.
 */
public final class Pump {
  public static final Duration SHORTEST_PAUSE = Duration.ofMillis(25);

  /** How long a request waits at most if nobody notifies. */
  public static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  private boolean somebodyLooks;
  private boolean notified;
  private long lookedAt;
  private long pause;

  /** The first look is due at once: the pump is primed. */
  public Pump(long now) {
    this.lookedAt = now;
  }

  /**
   * How long until an idle worker is to begin, in nanoseconds; 0 or less: now. To be asked again
   * after each change.
   */
  public long untilNext(long now) {
    if (somebodyLooks) {
      return LONGEST_PAUSE.toNanos();
    }
    long wait = notified ? Math.min(pause, SHORTEST_PAUSE.toNanos()) : pause;
    return wait - (now - lookedAt);
  }

  /** An idle worker begins to look. */
  public void begun() {
    somebodyLooks = true;
    notified = false;
  }

  /** The one who looks has found something: the next may look. */
  public void claimed() {
    somebodyLooks = false;
    pause = 0;
  }

  /** Somebody says that there is something new. */
  public void notified() {
    notified = true;
  }

  /**
   * A worker's pass has ended.
   *
   * @param looking whether it had claimed nothing since it was idle
   * @return whether it is to begin another pass at once; otherwise it is idle
   */
  public boolean ended(Pass.End end, boolean looking, long now) {
    somebodyLooks &= !looking;
    if (end == Pass.End.SOMETHING_SETTLED) {
      return true;
    }
    rest(Math.max(2 * pause, SHORTEST_PAUSE.toNanos()), now);
    return false;
  }

  /** A worker has given up its pass, as when the database is gone. It is idle. */
  public void failed(boolean looking, long now) {
    somebodyLooks &= !looking;
    rest(LONGEST_PAUSE.toNanos(), now);
  }

  private void rest(long nanos, long now) {
    pause = Math.min(LONGEST_PAUSE.toNanos(), nanos);
    lookedAt = now;
  }
}
