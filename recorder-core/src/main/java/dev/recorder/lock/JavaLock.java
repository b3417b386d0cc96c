package dev.recorder.lock;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/**
 * A {@link DistributedLock} for code that knows only {@link Lock}. The lock can be lost while it is
 * held. Such code learns of the loss only from {@link #unlock}, which is too late. Use a {@link
 * Lease} where possible.
 *
 * <p>It excludes threads of this process as well as other processes. Not re-entrant: a thread that
 * holds the lock and requests it again waits for itself. Thread-safe.
 */
final class JavaLock implements Lock {
  private final DistributedLock lock;

  /**
   * The leases of each thread, the latest first. A thread that has lost the lock must learn of the
   * loss even if another thread holds the lock by then.
   */
  @SuppressWarnings("ThreadLocalUsage") // per lock; unlock removes it
  private final ThreadLocal<Deque<Lease>> held = ThreadLocal.withInitial(ArrayDeque::new);

  JavaLock(DistributedLock lock) {
    this.lock = lock;
  }

  @Override
  public void lock() {
    boolean interrupted = false;
    while (true) {
      try {
        lockInterruptibly();
        break;
      } catch (InterruptedException later) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void lockInterruptibly() throws InterruptedException {
    held.get().push(lock.acquire());
  }

  @Override
  public boolean tryLock() {
    boolean interrupted = Thread.interrupted();
    try {
      return note(lock.tryAcquire());
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
    return note(lock.tryAcquire(Duration.ofNanos(unit.toNanos(time))));
  }

  private boolean note(Optional<Lease> lease) {
    lease.ifPresent(held.get()::push);
    return lease.isPresent();
  }

  /**
   * Marks the work as done, and releases the lock.
   *
   * @throws LeaseLostException if the lock was lost before
   * @throws IllegalMonitorStateException if the calling thread does not hold the lock
   */
  @Override
  public void unlock() {
    Lease lease = held.get().poll();
    if (lease == null) {
      held.remove();
      throw new IllegalMonitorStateException("this thread has not locked " + lock.name());
    }
    if (held.get().isEmpty()) {
      held.remove();
    }
    lease.complete();
    lease.close();
  }

  /** Not supported: other processes could not be signalled. */
  @Override
  public Condition newCondition() {
    throw new UnsupportedOperationException("a lock between processes has no conditions");
  }

  @Override
  public String toString() {
    return "lock " + lock.name();
  }
}
