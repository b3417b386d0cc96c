package dev.recorder.requests;

import java.time.Duration;

/**
 * Decides when the workers of one recorder on one host look for work: a state machine without
 * threads and without a clock; times are nanoseconds of a monotonic one.
 *
 * <p>Of all idle workers, one at a time looks into the table. If its first claim finds something,
 * the next idle one looks at once, so that all work after a few claims. A pass that settled nothing
 * is followed by a pause, which grows from {@link #SHORTEST_PAUSE} to {@link #LONGEST_PAUSE} until
 * something is settled. A notification ends the pause early, but not before the shortest pause is
 * over: neither notifications nor workers, however many, poll the rows of a busy entity without a
 * pause.
 *
 * <p>A worker calls {@link #begun}, then perhaps {@link #claimed} once, and finally {@link #ended}
 * or {@link #failed}.
 */
public final class WorkerScheduler {
  public static final Duration SHORTEST_PAUSE = Duration.ofMillis(25);

  /** The longest wait of a request without a notification. */
  public static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  private boolean somebodyLooks;
  private boolean notified;

  /** Grows from pass to pass while nothing is settled. */
  private long pause;

  /** The next look is due this long ... */
  private long wait;

  /** ... after this. */
  private long since;

  public WorkerScheduler(long now) {
    this.since = now;
  }

  /**
   * Nanoseconds until an idle worker should look; 0 or less means now. To be asked again after each
   * change.
   */
  public long untilNext(long now) {
    if (somebodyLooks) {
      return LONGEST_PAUSE.toNanos();
    }
    long shortened = notified ? Math.min(wait, SHORTEST_PAUSE.toNanos()) : wait;
    return shortened - (now - since);
  }

  public void begun() {
    somebodyLooks = true;
    notified = false;
  }

  /** The looking worker has claimed something: the next one may look. */
  public void claimed() {
    somebodyLooks = false;
    wait = 0;
  }

  /** A notification has arrived. */
  public void notified() {
    notified = true;
  }

  /**
   * A worker's pass has ended.
   *
   * @param looking whether the worker had claimed nothing since it was idle
   * @return whether it should begin another pass at once; otherwise it is idle
   */
  public boolean ended(TablePass.End end, boolean looking, long now) {
    somebodyLooks &= !looking;
    if (end == TablePass.End.SOMETHING_SETTLED) {
      pause = 0;
      return true;
    }
    pause = Math.min(LONGEST_PAUSE.toNanos(), Math.max(2 * pause, SHORTEST_PAUSE.toNanos()));
    rest(pause, looking, now);
    return false;
  }

  /** A worker has given up its pass, for example without a database. It is idle. */
  public void failed(boolean looking, long now) {
    somebodyLooks &= !looking;
    rest(LONGEST_PAUSE.toNanos(), looking, now);
  }

  /**
   * Only a looking worker delays the next look. Others have not seen the rows that became due below
   * their lines, and many of them, one after the other, would delay it forever.
   */
  private void rest(long nanos, boolean looked, long now) {
    long left = wait - (now - since);
    if (looked || left <= 0 || left > nanos) {
      wait = nanos;
      since = now;
    }
  }
}
