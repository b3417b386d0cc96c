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
 * over. Otherwise notifications, or many workers, would poll the rows of a busy entity without a
 * pause. A look past thousands of rows that must wait takes long itself: a pause is then at least
 * {@value #REST} times as long as the last look in vain, up to the longest pause.
 *
 * <p>A worker calls {@link #begun}, then perhaps {@link #claimed} once, and finally {@link #ended}
 * or {@link #failed}.
 */
public final class WorkerScheduler {
  public static final Duration SHORTEST_PAUSE = Duration.ofMillis(25);

  /** The longest wait of a request without a notification. */
  public static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  /** A pause lasts at least this many times as long as the last look in vain. */
  static final int REST = 3;

  private boolean somebodyLooks;
  private boolean notified;

  private long lookBegan;

  /** The shortest pause after a look as long as the last one in vain. */
  private long shortest = SHORTEST_PAUSE.toNanos();

  /** The present pause; grows with each pass that settles nothing. */
  private long pause;

  /** The next look is due this many nanoseconds ... */
  private long wait;

  /** ... after this moment. */
  private long since;

  public WorkerScheduler(long now) {
    this.since = now;
  }

  /**
   * Returns the nanoseconds until an idle worker should look; 0 or less means now. The caller asks
   * again after each change.
   */
  public long untilNext(long now) {
    if (somebodyLooks) {
      return LONGEST_PAUSE.toNanos();
    }
    long shortened = notified ? Math.min(wait, shortest) : wait;
    return shortened - (now - since);
  }

  public void begun(long now) {
    somebodyLooks = true;
    lookBegan = now;
    notified = false;
  }

  /** Notes that the looking worker has claimed a row, so that the next worker may look. */
  public void claimed() {
    somebodyLooks = false;
    wait = 0;
  }

  /** Notes that a notification has arrived. */
  public void notified() {
    notified = true;
  }

  /**
   * Notes the end of a worker's pass.
   *
   * @param looking whether the worker had claimed nothing since it was last idle
   * @return whether it should begin another pass at once; otherwise it is idle
   */
  public boolean ended(TablePass.End end, boolean looking, long now) {
    somebodyLooks &= !looking;
    if (end == TablePass.End.SOMETHING_SETTLED) {
      pause = 0;
      return true;
    }
    if (looking) {
      shortest = Math.max(SHORTEST_PAUSE.toNanos(), REST * (now - lookBegan));
      shortest = Math.min(LONGEST_PAUSE.toNanos(), shortest);
    }
    pause = Math.min(LONGEST_PAUSE.toNanos(), Math.max(2 * pause, shortest));
    rest(pause, looking, now);
    return false;
  }

  /**
   * Notes that a worker has given up its pass, for example because the database is unreachable. The
   * worker is idle now.
   */
  public void failed(boolean looking, long now) {
    somebodyLooks &= !looking;
    rest(LONGEST_PAUSE.toNanos(), looking, now);
  }

  /**
   * Sets the pause. Only a looking worker delays the next look. The others have not seen rows that
   * became due below their lines, and many workers in turn would delay the look forever.
   */
  private void rest(long nanos, boolean looked, long now) {
    long left = wait - (now - since);
    if (looked || left <= 0 || left > nanos) {
      wait = nanos;
      since = now;
    }
  }
}
