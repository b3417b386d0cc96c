package dev.recorder.time;

import java.time.Duration;

/** Waits on the calling thread; the one place where the product sleeps. */
public final class Pause {
  private Pause() {}

  /** Returns after {@code duration}, at once if it is zero or negative. */
  public static void sleep(Duration duration) throws InterruptedException {
    if (!duration.isNegative() && !duration.isZero()) {
      Thread.sleep(duration.toMillis(), duration.toNanosPart() % 1_000_000);
    }
  }
}
