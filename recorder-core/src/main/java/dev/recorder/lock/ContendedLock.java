package dev.recorder.lock;

import dev.recorder.time.Pause;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A lock that is taken by repeated attempts. Between two attempts it waits a random time from half
 * of {@code pause} to all of it, so that contenders do not stay in step.
 */
public final class ContendedLock implements DistributedLock {
  /** Tries to take the lock. */
  @FunctionalInterface
  public interface LockAttempt {
    /**
     * Takes the lock if it is free.
     *
     * @param limit how long the attempt may wait, if the kind supports waiting; zero for no wait.
     *     The attempt waits at most 250 ms
     * @throws LockException if the outcome could not be determined
     */
    Optional<TrackedLease> within(Duration limit) throws InterruptedException;
  }

  private static final Duration LONGEST = Duration.ofDays(36_500);

  private final String name;
  private final LockAttempt attempt;
  private final Duration pause;
  private final Instruments instruments;

  public ContendedLock(String name, LockAttempt attempt, Duration pause, Instruments instruments) {
    this.name = name;
    this.attempt = attempt;
    this.pause = pause;
    this.instruments = instruments;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Optional<Lease> tryAcquire() {
    try {
      return tryUntil(instruments.nanos());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LockException(
          name, LockException.Kind.UNREACHABLE, "interrupted while asking for it", e);
    }
  }

  @Override
  public Optional<Lease> tryAcquire(Duration limit) throws InterruptedException {
    Pause.endIfInterrupted();
    Duration bounded = limit.compareTo(LONGEST) < 0 ? limit : LONGEST;
    return tryUntil(instruments.nanos() + Math.max(0, bounded.toNanos()));
  }

  private Optional<Lease> tryUntil(long deadline) throws InterruptedException {
    long asked = instruments.nanos();
    while (true) {
      long left = Math.max(0, deadline - instruments.nanos());
      Optional<TrackedLease> lease = attempt.within(Duration.ofNanos(left));
      Duration waited = Duration.ofNanos(instruments.nanos() - asked);
      if (lease.isPresent()) {
        instruments.tell(to -> to.acquired(name, waited));
        return Optional.of(lease.get());
      }
      if (instruments.nanos() - deadline >= 0) {
        instruments.tell(to -> to.notAcquired(name, waited));
        return Optional.empty();
      }
      Pause.sleep(Duration.ofNanos(Math.min(deadline - instruments.nanos(), pause())));
    }
  }

  private long pause() {
    long half = pause.toNanos() / 2;
    return half == 0 ? 0 : half + ThreadLocalRandom.current().nextLong(half);
  }
}
