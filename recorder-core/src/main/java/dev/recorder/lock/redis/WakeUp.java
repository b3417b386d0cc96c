package dev.recorder.lock.redis;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.recorder.time.Ticker;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Wakes a thread that scans a list when the list's first entry is due. Adding an entry costs
 * nothing in the usual case, when the entry is due no earlier than the next wake-up.
 */
final class WakeUp {
  private final Ticker ticker;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition earlier = lock.newCondition();

  @GuardedBy("lock")
  private long next;

  WakeUp(Ticker ticker) {
    this.ticker = ticker;
    this.next = ticker.nanos();
  }

  /**
   * Sets the latest wake-up and drops earlier ones; the waking thread calls this before its scan.
   */
  void reset(long latest) {
    lock.lock();
    try {
      next = latest;
    } finally {
      lock.unlock();
    }
  }

  /** Has the thread wake at {@code moment} or earlier. */
  void at(long moment) {
    lock.lock();
    try {
      if (moment - next < 0) {
        next = moment;
        earlier.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits for the wake-up. An interrupt does not end these threads: one left by a listener or a
   * counter is cleared, and one during the wait only shortens the wait.
   */
  void await() {
    lock.lock();
    try {
      var unused = Thread.interrupted();
      long left;
      while ((left = next - ticker.nanos()) > 0) {
        earlier.awaitNanos(left);
      }
    } catch (InterruptedException meantForNobody) {
      // An extra scan is harmless.
    } finally {
      lock.unlock();
    }
  }
}
