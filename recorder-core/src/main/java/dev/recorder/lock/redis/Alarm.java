package dev.recorder.lock.redis;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.recorder.time.Ticker;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Wakes a thread that goes through a list when its first entry is due. An entry that is due no
 * earlier than the thread wakes anyway costs nothing; that is the normal case.
 */
final class Alarm {
  private final Ticker ticker;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition earlier = lock.newCondition();

  @GuardedBy("lock")
  private long next;

  Alarm(Ticker ticker) {
    this.ticker = ticker;
    this.next = ticker.nanos();
  }

  /** For the thread that wakes, before it goes through its list: forgets earlier moments. */
  void reset(long latest) {
    lock.lock();
    try {
      next = latest;
    } finally {
      lock.unlock();
    }
  }

  /** Lets the thread wake at {@code moment}, or before. */
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
   * Waits for it. Nobody ends its threads by an interrupt: one that a listener or a counter has
   * left on them is dropped, and one that comes lets them wake too early.
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
