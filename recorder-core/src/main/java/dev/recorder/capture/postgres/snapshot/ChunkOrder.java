package dev.recorder.capture.postgres.snapshot;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.recorder.time.Ticker;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Which session hands over which places of a part, and in which order their transactions commit: in
 * that of the places, so that what is handed over has no gaps, and one number says how far it is.
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
   * The order of a part.
   *
   * @param from the first place that is not handed over
   * @param end the first place behind it
   */
  ChunkOrder(long from, long end, Ticker ticker) {
    this.taken = from;
    this.handedOver = from;
    this.end = end;
    this.ticker = ticker;
  }

  /** Places that one session hands over, in one transaction or in several. */
  record PlaceRange(long from, long to) {}

  /** Whose turn it is. */
  enum Turn {
    /** Of whoever asked: all places before are handed over. */
    COME,
    NOT_YET,
    /** It has {@link #end ended}. */
    NEVER
  }

  /** The next places, at most so many; empty if nobody has to take more. */
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

  /** Waits until all places before this one are handed over, for this long at most. */
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

  /** All places before this one are handed over, and it is the next one's turn. */
  void handedOver(long place) {
    lock.lock();
    try {
      handedOver = place;
      moved.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Whatever is not handed over yet is not to be. */
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

  /** Whether all places are handed over. */
  boolean isDone() {
    lock.lock();
    try {
      return handedOver >= end;
    } finally {
      lock.unlock();
    }
  }
}
