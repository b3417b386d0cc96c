package dev.recorder.time;

import java.time.Duration;

/** Blocks the calling thread; the only place where the product sleeps. */
public final class Pause {
  private Pause() {}

  /** Throws if the thread was interrupted, to end work whose calls do not react to an interrupt. */
  public static void endIfInterrupted() throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
  }

  /**
   * Sleeps on a thread that runs foreign code and that no interrupt ends. An interrupt that the
   * foreign code left is dropped. An interrupt during the sleep only shortens the sleep.
   */
  public static void sleepRegardless(Duration duration) {
    try {
      var unused = Thread.interrupted();
      sleep(duration);
    } catch (InterruptedException meantForNobody) {
      // The caller continues a little sooner.
    }
  }

  /** Sleeps. Returns false if the thread was interrupted; its interrupt status is then set. */
  public static boolean isRested(Duration duration) {
    try {
      sleep(duration);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Sleeps for {@code duration}. Returns at once if it is zero or negative. */
  public static void sleep(Duration duration) throws InterruptedException {
    if (!duration.isNegative() && !duration.isZero()) {
      Thread.sleep(duration.toMillis(), duration.toNanosPart() % 1_000_000);
    }
  }
}
