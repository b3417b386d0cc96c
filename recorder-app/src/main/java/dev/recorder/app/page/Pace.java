package dev.recorder.app.page;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.recorder.app.looks.Rhythm;
import java.time.Duration;

/**
 * When to look at the database, and when to glance at its receipts in between, which is done only
 * while somebody looks at the page. Knows no clock; times are a ticker's. Thread-safe.
 */
final class Pace {
  /** A glance at the receipts, in between. */
  static final Duration GLANCE = Duration.ofMillis(400);

  /** After this long without a question nobody is looking. */
  static final Duration FORGOTTEN_AFTER = Duration.ofSeconds(10);

  private final Rhythm rhythm = new Rhythm(FORGOTTEN_AFTER);

  @GuardedBy("this")
  private long glancedAt;

  /** What to do now. */
  enum PaceStep {
    WAIT,
    GLANCE,
    LOOK
  }

  /** Somebody asks for the page. */
  void asked(long now) {
    rhythm.asked(now);
  }

  synchronized PaceStep next(long now) {
    if (rhythm.isDue(now)) {
      return PaceStep.LOOK;
    }
    return rhythm.isRead(now) && now - glancedAt >= GLANCE.toNanos()
        ? PaceStep.GLANCE
        : PaceStep.WAIT;
  }

  /** A look has ended, well or not, that took so much: its {@code Effort}. */
  synchronized void looked(long now, long nanos) {
    rhythm.looked(now, nanos);
    glancedAt = now;
  }

  /** A glance has ended. */
  synchronized void glanced(long now) {
    glancedAt = now;
  }
}
