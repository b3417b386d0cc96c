package dev.recorder.app.looks;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;

/**
 * Schedules the samples of the database. The next sample is due {@link #READ} after the last one if
 * there are readers, else {@link #UNREAD} after it. Samples never take more than a hundredth of a
 * processor. For this limit, the cheaper of the last two samples counts, so that a single slow
 * sample, such as the first of a process, does not cause a long pause. While the page is viewed,
 * takeovers are read in between. Has no clock: times are a ticker's. Thread-safe.
 */
public final class SampleSchedule {
  static final Duration READ = Duration.ofSeconds(2);
  public static final Duration UNREAD = Duration.ofSeconds(10);
  static final Duration GLANCE = Duration.ofMillis(400);

  /** How long a request for metrics counts as a reader: longer than the usual scrape interval. */
  static final Duration SCRAPE_FORGOTTEN = Duration.ofSeconds(45);

  static final Duration VIEWER_FORGOTTEN = Duration.ofSeconds(10);
  private static final int SHARE = 100;

  private final Reader scraper = new Reader(SCRAPE_FORGOTTEN);
  private final Reader viewer = new Reader(VIEWER_FORGOTTEN);

  @GuardedBy("this")
  private long lookedAt;

  @GuardedBy("this")
  private long glancedAt;

  @GuardedBy("this")
  private long tookNanos;

  @GuardedBy("this")
  private long shorterNanos;

  @GuardedBy("this")
  private boolean looked;

  enum RhythmStep {
    WAIT,
    GLANCE,
    LOOK
  }

  /** A kind of reader, which counts as present for some time after the last request. */
  private static final class Reader {
    private final long forgottenAfter;
    private volatile long askedAt;
    private volatile boolean asked;

    Reader(Duration forgottenAfter) {
      this.forgottenAfter = forgottenAfter.toNanos();
    }

    void asked(long now) {
      askedAt = now;
      asked = true;
    }

    boolean isThere(long now) {
      return asked && now - askedAt < forgottenAfter;
    }
  }

  void scraped(long now) {
    scraper.asked(now);
  }

  void viewed(long now) {
    viewer.asked(now);
  }

  synchronized RhythmStep next(long now) {
    boolean isRead = scraper.isThere(now) || viewer.isThere(now);
    long every = (isRead ? READ : UNREAD).toNanos();
    if (!looked || now - lookedAt >= Math.max(every, SHARE * shorterNanos)) {
      return RhythmStep.LOOK;
    }
    return viewer.isThere(now) && now - glancedAt >= GLANCE.toNanos()
        ? RhythmStep.GLANCE
        : RhythmStep.WAIT;
  }

  /**
   * Notes the end of a sample, successful or not.
   *
   * @param nanos the {@link SampleCost} of the sample
   */
  synchronized void looked(long now, long nanos) {
    shorterNanos = looked ? Math.min(tookNanos, nanos) : 0;
    tookNanos = nanos;
    lookedAt = now;
    glancedAt = now;
    looked = true;
  }

  synchronized void glanced(long now) {
    glancedAt = now;
  }
}
