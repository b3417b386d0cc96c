package dev.recorder.requests.worker;

import dev.recorder.requests.TablePass;
import dev.recorder.requests.WorkerScheduler;
import dev.recorder.time.Ticker;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Decides when the workers of one recorder may look for requests and claim them: when the {@link
 * WorkerScheduler} says so, and the recorder is able, registered and not paused. Idle workers wait
 * here. Thread-safe.
 */
final class ClaimGate {
  private final Ticker ticker;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  // Guarded by lock; volatile fields may be read without it.
  private final WorkerScheduler scheduler;
  private boolean able;
  private volatile boolean registered;
  private volatile boolean paused;
  private volatile boolean stopping;

  ClaimGate(Ticker ticker) {
    this.ticker = ticker;
    this.scheduler = new WorkerScheduler(ticker.nanos());
  }

  /** Waits until an idle worker must look; returns false if the worker must end. */
  boolean await() throws InterruptedException {
    lock.lock();
    try {
      while (!stopping) {
        long wait =
            able && registered && !paused ? scheduler.untilNext(ticker.nanos()) : Long.MAX_VALUE;
        if (wait <= 0) {
          scheduler.begun(ticker.nanos());
          return true;
        }
        var unused = changed.awaitNanos(wait);
      }
      return false;
    } finally {
      lock.unlock();
    }
  }

  /** Waits for {@code pause}, or until the worker must end. */
  void rest(Duration pause) throws InterruptedException {
    lock.lock();
    try {
      long nanos = pause.toNanos();
      while (nanos > 0 && !stopping) {
        nanos = changed.awaitNanos(nanos);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Whether a worker may claim now. */
  boolean mayClaim() {
    return registered && !paused && !stopping;
  }

  boolean isStopping() {
    return stopping;
  }

  /**
   * Clears an interrupt of the calling thread that called code left behind, unless the thread
   * should end.
   */
  void dropInterruptUnlessStopping() {
    if (Thread.interrupted() && stopping) {
      Thread.currentThread().interrupt();
    }
  }

  /** See {@link WorkerScheduler#claimed}. */
  void claimed() {
    change(scheduler::claimed);
  }

  /** See {@link WorkerScheduler#notified}. */
  void notified() {
    change(scheduler::notified);
  }

  /** See {@link WorkerScheduler#ended}. */
  boolean ended(TablePass.End end, boolean looking) {
    lock.lock();
    try {
      boolean again = scheduler.ended(end, looking, ticker.nanos());
      changed.signalAll();
      return again && mayClaim();
    } finally {
      lock.unlock();
    }
  }

  /** See {@link WorkerScheduler#failed}. */
  void failed(boolean looking) {
    change(() -> scheduler.failed(looking, ticker.nanos()));
  }

  void able() {
    change(() -> able = true);
  }

  /** Notes whether peers consider this host alive; if not, they take its requests. */
  void registered(boolean is) {
    change(() -> registered = is);
  }

  /** Notes whether the recorder is paused: claimed units are finished, and no more are claimed. */
  void paused(boolean is) {
    change(() -> paused = is);
  }

  /** Ends claims; idle workers end. */
  void stop() {
    change(() -> stopping = true);
  }

  private void change(Runnable change) {
    lock.lock();
    try {
      change.run();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
