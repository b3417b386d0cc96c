package dev.recorder.app.page;

import java.time.Duration;

/**
 * When to look at the database: often while somebody looks at the page, seldom else, and for no
 * more than a fiftieth of the time, but for glances at the receipts. Of the last two looks the
 * quicker counts: the first of a process takes long, and one that a busy moment has drawn out says
 * nothing of the next. Knows no clock; times are a ticker's. Thread-safe.
 */
final class Pace {
  /** A look at everything, while somebody looks on. */
  static final Duration WATCHED = Duration.ofSeconds(2);

  /** The same for nobody, so that the curves have no holes. */
  static final Duration UNWATCHED = Duration.ofSeconds(10);

  /** A glance at the receipts, in between. */
  static final Duration GLANCE = Duration.ofMillis(400);

  /** After so long without a question nobody looks on. */
  static final Duration FORGOTTEN_AFTER = Duration.ofSeconds(10);

  private static final int SHARE = 50;

  private volatile long askedAt;
  private volatile boolean asked;
  private long lookedAt;
  private long glancedAt;
  private long tookNanos;
  private long beforeTookNanos;
  private boolean looked;

  /** What is to be done now. */
  enum Step {
    WAIT,
    GLANCE,
    LOOK
  }

  /** Somebody asks for the page. */
  void asked(long now) {
    askedAt = now;
    asked = true;
  }

  boolean isWatched(long now) {
    return asked && now - askedAt < FORGOTTEN_AFTER.toNanos();
  }

  synchronized Step next(long now) {
    long every = (isWatched(now) ? WATCHED : UNWATCHED).toNanos();
    if (!looked
        || now - lookedAt >= Math.max(every, SHARE * Math.min(tookNanos, beforeTookNanos))) {
      return Step.LOOK;
    }
    return isWatched(now) && now - glancedAt >= GLANCE.toNanos() ? Step.GLANCE : Step.WAIT;
  }

  /** A look has ended, well or not. */
  synchronized void looked(long now, long nanos) {
    looked = true;
    lookedAt = now;
    glancedAt = now;
    beforeTookNanos = tookNanos;
    tookNanos = nanos;
  }

  /** A glance has ended. */
  synchronized void glanced(long now) {
    glancedAt = now;
  }
}
