package dev.recorder.app.looks;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;

/**
 * When to look at the database: {@link #READ} after the last look while somebody reads what was
 * found, {@link #UNREAD} after it else, and never so often that looks take more than a hundredth of
 * a processor. For that the shorter of the last two looks counts: one that was slow for once, such
 * as the first of a process, or one beside something large, is not followed by a long rest. While
 * somebody views the page there are glances at the receipts in between. Knows no clock; times are a
 * ticker's. Thread-safe.
 */
public final class Rhythm {
  static final Duration READ = Duration.ofSeconds(2);
  public static final Duration UNREAD = Duration.ofSeconds(10);
  static final Duration GLANCE = Duration.ofMillis(400);

  /** Longer than from one scrape to the next, as scrapes usually come. */
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

  /** What to do now. */
  enum RhythmStep {
    WAIT,
    GLANCE,
    LOOK
  }

  /** Somebody who is forgotten a while after the last question. */
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

  /** Somebody asks for figures. */
  void scraped(long now) {
    scraper.asked(now);
  }

  /** Somebody asks for the page. */
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

  /** A look has ended, well or not, that took so much: its {@link Effort}. */
  synchronized void looked(long now, long nanos) {
    shorterNanos = looked ? Math.min(tookNanos, nanos) : 0;
    tookNanos = nanos;
    lookedAt = now;
    glancedAt = now;
    looked = true;
  }

  /** A glance has ended. */
  synchronized void glanced(long now) {
    glancedAt = now;
  }
}
