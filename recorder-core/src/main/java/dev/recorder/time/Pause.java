package dev.recorder.time;

import java.time.Duration;

/** Blocks the calling thread; the only place where the product sleeps. */
public final class Pause {
  private Pause() {}

  /** Ends work whose calls do not react to an interrupt. */
  public static void endIfInterrupted() throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
  }

  /**
   * For threads that no interrupt ends and that run foreign code: an interrupt left by that code is
   * dropped, and one during the sleep only shortens it.
   */
  public static void sleepRegardless(Duration duration) {
    try {
      var unused = Thread.interrupted();
      sleep(duration);
    } catch (InterruptedException meantForNobody) {
      // The caller continues a little sooner.
    }
  }

  /** Sleeps; false if the thread was interrupted, which it is then still. */
  public static boolean isRested(Duration duration) {
    try {
      sleep(duration);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Returns after {@code duration}, at once if it is zero or negative. */
  public static void sleep(Duration duration) throws InterruptedException {
    if (!duration.isNegative() && !duration.isZero()) {
      Thread.sleep(duration.toMillis(), duration.toNanosPart() % 1_000_000);
    }
  }
}
