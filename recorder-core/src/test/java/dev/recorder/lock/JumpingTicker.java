package dev.recorder.lock;

import dev.recorder.time.Ticker;
import java.time.Duration;

/** The ticker of a process whose clock jumps, or stands still. */
public final class JumpingTicker implements Ticker {
  private long ahead;
  private long stoppedAt;
  private boolean stopped;

  @Override
  public synchronized long nanos() {
    return stopped ? stoppedAt : System.nanoTime() + ahead;
  }

  public synchronized void jump(Duration by) {
    ahead += by.toNanos();
  }

  public synchronized void stop() {
    stoppedAt = nanos();
    stopped = true;
  }

  /** From where it stood. */
  public synchronized void goOn() {
    ahead = stoppedAt - System.nanoTime();
    stopped = false;
  }
}
