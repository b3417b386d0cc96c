package dev.recorder.lock;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/**
 * A {@link DistributedLock} as code that knows {@link Lock} alone can use it. It can be lost while
 * it is held, which such code cannot ask: it learns of it from {@link #unlock}, too late. Whoever
 * can, takes a {@link Lease}.
 *
 * <p>Excludes the threads of this process as it excludes other processes, and is not re-entrant: a
 * thread that has it and asks again waits for itself. Thread-safe.
 */
final class JavaLock implements Lock {
  private final DistributedLock lock;

  /** Of each thread: one that has lost the lock learns it, whoever has it by then. */
  @SuppressWarnings("ThreadLocalUsage") // of this lock; what is unlocked is removed
  private final ThreadLocal<@Nullable Lease> held = new ThreadLocal<>();

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
    held.set(lock.acquire());
  }

  @Override
  public boolean tryLock() {
    return note(lock.tryAcquire());
  }

  @Override
  public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
    return note(lock.tryAcquire(Duration.of(time, unit.toChronoUnit())));
  }

  private boolean note(Optional<Lease> lease) {
    lease.ifPresent(held::set);
    return lease.isPresent();
  }

  /**
   * The work was done: of a kind that outlives a failure, too, the lock is released.
   *
   * @throws LeaseLostException if it was lost before
   * @throws IllegalMonitorStateException if the calling thread does not have it
   */
  @Override
  public void unlock() {
    Lease lease = held.get();
    if (lease == null) {
      throw new IllegalMonitorStateException("this thread has not locked " + lock.name());
    }
    held.remove();
    lease.complete();
    lease.close();
  }

  /** Not supported: no other process could be told. */
  @Override
  public Condition newCondition() {
    throw new UnsupportedOperationException("a lock between processes has no conditions");
  }

  @Override
  public String toString() {
    return "lock " + lock.name();
  }
}
