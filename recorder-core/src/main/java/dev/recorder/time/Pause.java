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

  /** Returns after {@code duration}, at once if it is zero or negative. */
  public static void sleep(Duration duration) throws InterruptedException {
    if (!duration.isNegative() && !duration.isZero()) {
      Thread.sleep(duration.toMillis(), duration.toNanosPart() % 1_000_000);
    }
  }
}
