package dev.recorder.app.looks;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;

/**
 * When to look at the database: {@link #READ} after the last look while somebody reads what was
 * found, {@link #UNREAD} after it else, and never so often that looks take more than a hundredth of
 * a processor. For that the shorter of the last two looks counts: one that was slow for once, such
 * as the first of a process, or one beside something large, is not followed by a long rest. Knows
 * no clock; times are a ticker's. Thread-safe.
 */
public final class Rhythm {
  static final Duration READ = Duration.ofSeconds(2);
  public static final Duration UNREAD = Duration.ofSeconds(10);
  private static final int SHARE = 100;

  private final long forgottenAfter;
  private volatile long askedAt;
  private volatile boolean asked;

  @GuardedBy("this")
  private long lookedAt;

  @GuardedBy("this")
  private long tookNanos;

  @GuardedBy("this")
  private long shorterNanos;

  @GuardedBy("this")
  private boolean looked;

  /** After this long without a question nobody reads any more. */
  public Rhythm(Duration forgottenAfter) {
    this.forgottenAfter = forgottenAfter.toNanos();
  }

  /** Somebody reads. */
  public void asked(long now) {
    askedAt = now;
    asked = true;
  }

  public boolean isRead(long now) {
    return asked && now - askedAt < forgottenAfter;
  }

  public synchronized boolean isDue(long now) {
    long every = (isRead(now) ? READ : UNREAD).toNanos();
    return !looked || now - lookedAt >= Math.max(every, SHARE * shorterNanos);
  }

  /** A look has ended, well or not, that took so much: its {@link Effort}. */
  public synchronized void looked(long now, long nanos) {
    shorterNanos = looked ? Math.min(tookNanos, nanos) : 0;
    tookNanos = nanos;
    lookedAt = now;
    looked = true;
  }
}
