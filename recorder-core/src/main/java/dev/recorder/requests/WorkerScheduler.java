package dev.recorder.requests;

import java.time.Duration;

/**
 * Decides when the workers of one recorder on one machine begin to look for work: a state machine
 * without threads and without a clock; times are nanoseconds of a monotonic one.
 *
 * <p>However many workers are idle, one of them at a time looks into the table. If its first claim
 * brings something the next idle one looks at once, so that all are at work after a few claims.
 * After a pass that settled nothing comes a pause, which grows from {@link #SHORTEST_PAUSE} to
 * {@link #LONGEST_PAUSE} until something is settled. A notification ends it early, but never before
 * the shortest pause is over: no number of notifications, and no number of workers, makes the rows
 * of a busy entity spin.
 *
 * <p>A worker says {@link #begun}, then once {@link #claimed} or not, and in the end {@link #ended}
 * or {@link #failed}.
 */
public final class WorkerScheduler {
  public static final Duration SHORTEST_PAUSE = Duration.ofMillis(25);

  /** How long a request waits at most if nobody notifies. */
  public static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  private boolean somebodyLooks;
  private boolean notified;

  /** Grows from pass to pass, as long as nothing is settled. */
  private long pause;

  /** The next look is due so long ... */
  private long wait;

  /** ... after this. */
  private long since;

  /** The first look is due at once. */
  public WorkerScheduler(long now) {
    this.since = now;
  }

  /**
   * How long until an idle worker should begin, in nanoseconds; 0 or less: now. To be asked again
   * after each change.
   */
  public long untilNext(long now) {
    if (somebodyLooks) {
      return LONGEST_PAUSE.toNanos();
    }
    long shortened = notified ? Math.min(wait, SHORTEST_PAUSE.toNanos()) : wait;
    return shortened - (now - since);
  }

  /** An idle worker begins to look. */
  public void begun() {
    somebodyLooks = true;
    notified = false;
  }

  /** The one who looks has found something: the next may look. */
  public void claimed() {
    somebodyLooks = false;
    wait = 0;
  }

  /** Somebody says that there is something new. */
  public void notified() {
    notified = true;
  }

  /**
   * A worker's pass has ended.
   *
   * @param looking whether it had claimed nothing since it was idle
   * @return whether it should begin another pass at once; otherwise it is idle
   */
  public boolean ended(Pass.End end, boolean looking, long now) {
    somebodyLooks &= !looking;
    if (end == Pass.End.SOMETHING_SETTLED) {
      pause = 0;
      return true;
    }
    pause = Math.min(LONGEST_PAUSE.toNanos(), Math.max(2 * pause, SHORTEST_PAUSE.toNanos()));
    rest(pause, looking, now);
    return false;
  }

  /** A worker has given up its pass, as when the database is gone. It is idle. */
  public void failed(boolean looking, long now) {
    somebodyLooks &= !looking;
    rest(LONGEST_PAUSE.toNanos(), looking, now);
  }

  /**
   * Only who has looked puts the next look off. One who comes from its work has not seen what came
   * up below its line meanwhile; many of those, one after the other, would put it off forever.
   */
  private void rest(long nanos, boolean looked, long now) {
    long left = wait - (now - since);
    if (looked || left <= 0 || left > nanos) {
      wait = nanos;
      since = now;
    }
  }
}
