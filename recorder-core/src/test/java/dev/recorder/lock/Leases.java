package dev.recorder.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.lock.LockException.Kind;
import dev.recorder.time.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** What tests do with locks and leases, whatever their kind. */
public final class Leases {
  /** How often two try to have a lock, together; ten times as often each night. */
  public static final int RACES = Integer.getInteger("lock.races", 1_000);

  private Leases() {}

  /** Takes a lock that is free. */
  public static Lease take(DistributedLock lock) {
    return lock.tryAcquire().orElseThrow();
  }

  /** Lets go of it as one whose work was done. */
  public static void finish(Lease lease) {
    lease.complete();
    lease.close();
  }

  /** One that lasts until its holder lets go of it, and says whether the work was done. */
  public static TrackedLease granted(Consumer<Boolean> released) {
    return new TrackedLease(
        "lease",
        1,
        LeaseLife.granted(Ticker.system().nanos(), LeaseLife.UNLIMITED, Loss.Cause.REVOKED),
        (lease, completed) -> {
          released.accept(completed);
          return null;
        },
        Instruments.PLAIN);
  }

  /** A lock that anybody can have at any time. */
  public static DistributedLock free(Supplier<TrackedLease> leases) {
    return new ContendedLock(
        "free", limit -> Optional.of(leases.get()), Duration.ofMillis(10), Instruments.PLAIN);
  }

  /** How it was lost, as soon as its holder is told. */
  public static Loss lossOf(Lease lease) throws Exception {
    return lease.lost().toCompletableFuture().get(1, TimeUnit.MINUTES);
  }

  /** It fails, and says what to do about it. */
  public static AbstractThrowableAssert<?, ?> assertFails(Kind kind, ThrowingCallable call) {
    return assertThatThrownBy(call)
        .isInstanceOfSatisfying(LockException.class, e -> assertThat(e.kind()).isEqualTo(kind));
  }

  /** Runs all at the same moment, each on a thread of its own. */
  public static <T> List<T> atOnce(List<? extends Callable<T>> all) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(all.size());
    try {
      CyclicBarrier start = new CyclicBarrier(all.size());
      List<Future<T>> futures = new ArrayList<>();
      for (Callable<T> each : all) {
        futures.add(
            threads.submit(
                () -> {
                  start.await(1, TimeUnit.MINUTES);
                  return each.call();
                }));
      }
      List<T> results = new ArrayList<>();
      for (Future<T> future : futures) {
        results.add(future.get(5, TimeUnit.MINUTES));
      }
      return results;
    } finally {
      threads.shutdownNow();
    }
  }
}
