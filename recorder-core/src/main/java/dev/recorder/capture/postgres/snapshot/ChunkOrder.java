package dev.recorder.capture.postgres.snapshot;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.recorder.time.Ticker;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Assigns the places of a part to sessions, and makes their transactions commit in the order of the
 * places. So the places that are handed over have no gaps, and one number tells the progress.
 * Thread-safe.
 */
final class ChunkOrder {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition moved = lock.newCondition();
  private final long end;
  private final Ticker ticker;

  @GuardedBy("lock")
  private long taken;

  @GuardedBy("lock")
  private long handedOver;

  @GuardedBy("lock")
  private boolean isEnded;

  /**
   * Creates the order of a part.
   *
   * @param from the first place that is not handed over yet
   * @param end the first place after the part
   */
  ChunkOrder(long from, long end, Ticker ticker) {
    this.taken = from;
    this.handedOver = from;
    this.end = end;
    this.ticker = ticker;
  }

  /** Places that one session hands over in one or more transactions. */
  record PlaceRange(long from, long to) {}

  /** Whether it is the turn of a place. */
  enum Turn {
    /** All earlier places are handed over. */
    COME,
    NOT_YET,
    /** The order has {@link #end ended}. */
    NEVER
  }

  /**
   * Assigns the next places, at most {@code places}; empty if none are left or the order has ended.
   */
  Optional<PlaceRange> take(long places) {
    lock.lock();
    try {
      if (isEnded || taken >= end) {
        return Optional.empty();
      }
      PlaceRange range = new PlaceRange(taken, Math.min(end, taken + places));
      taken = range.to();
      return Optional.of(range);
    } finally {
      lock.unlock();
    }
  }

  /** Waits until all earlier places are handed over, at most for {@code longest}. */
  Turn await(long place, Duration longest) throws InterruptedException {
    long deadline = ticker.nanos() + longest.toNanos();
    lock.lockInterruptibly();
    try {
      while (!isEnded && handedOver != place) {
        long left = deadline - ticker.nanos();
        if (left <= 0) {
          return Turn.NOT_YET;
        }
        var unused = moved.await(left, TimeUnit.NANOSECONDS);
      }
      return isEnded ? Turn.NEVER : Turn.COME;
    } finally {
      lock.unlock();
    }
  }

  /** Notes that all places before {@code place} are handed over. Its turn has come. */
  void handedOver(long place) {
    lock.lock();
    try {
      handedOver = place;
      moved.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Ends the order: no further places are to be handed over. */
  void end() {
    lock.lock();
    try {
      isEnded = true;
      moved.signalAll();
    } finally {
      lock.unlock();
    }
  }

  boolean isEnded() {
    lock.lock();
    try {
      return isEnded;
    } finally {
      lock.unlock();
    }
  }

  /** Returns whether all places are handed over. */
  boolean isDone() {
    lock.lock();
    try {
      return handedOver >= end;
    } finally {
      lock.unlock();
    }
  }
}
