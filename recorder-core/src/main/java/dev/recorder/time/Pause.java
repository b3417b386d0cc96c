package dev.recorder.time;

import java.time.Duration;

/** Waits on the calling thread; the one place where the product sleeps. */
public final class Pause {
  private Pause() {}

  /** For work that is not interrupted by what it calls: ends it all the same. */
  public static void endIfInterrupted() throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
  }

  /**
   * For threads that nobody ends by an interrupt, and on which code of others is called: what that
   * has left is dropped, and what comes meanwhile makes the wait shorter and no more.
   */
  public static void sleepRegardless(Duration duration) {
    try {
      var unused = Thread.interrupted();
      sleep(duration);
    } catch (InterruptedException meantForNobody) {
      // Whoever waits looks again a little sooner.
    }
  }

  /** Returns after {@code duration}, at once if it is zero or negative. */
  public static void sleep(Duration duration) throws InterruptedException {
    if (!duration.isNegative() && !duration.isZero()) {
      Thread.sleep(duration.toMillis(), duration.toNanosPart() % 1_000_000);
    }
  }
}
