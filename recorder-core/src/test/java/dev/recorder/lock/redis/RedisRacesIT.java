package dev.recorder.lock.redis;

import static dev.recorder.lock.Leases.atOnce;
import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.lock.DistributedLock;
import dev.recorder.lock.Instruments;
import dev.recorder.lock.Lease;
import dev.recorder.lock.LockException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol.Command;

/** What two do at the same time, or in between. */
class RedisRacesIT {
  private static final int THREADS = 8;
  private static final int ATTEMPTS = 10_000;
  private static final int NAMES = 6;

  @AutoClose private final RedisSite site = new RedisSite();

  /** What an attempt came to. */
  private static final class Tally {
    private final AtomicInteger held = new AtomicInteger();
    private final AtomicInteger timedOut = new AtomicInteger();
    private final AtomicInteger interrupted = new AtomicInteger();
    private final Queue<LockException> failed = new ConcurrentLinkedQueue<>();
  }

  @Test
  void waitsThatEndInTimeOutsAndInterruptsLeaveNoKeyAndNoConnectionBehind() throws Exception {
    RedisLockOptions options =
        new RedisLockOptions("test:", Duration.ofMinutes(5), Duration.ofNanos(100_000), 4);
    RedisLocks locks = new RedisLocks(site.patient(options), "racer", options, Instruments.PLAIN);
    ScheduledExecutorService interrupter = Executors.newSingleThreadScheduledExecutor();
    Tally tally = new Tally();
    Callable<Void> thread =
        () -> {
          for (int i = 0; i < ATTEMPTS / THREADS; i++) {
            race(locks.lock("job-" + i % NAMES), interrupter, tally);
          }
          return null;
        };
    atOnce(Collections.nCopies(THREADS, thread));
    interrupter.shutdownNow();

    assertThat(tally.failed).isEmpty();
    assertThat(tally.held.get() + tally.timedOut.get() + tally.interrupted.get())
        .isEqualTo(ATTEMPTS);
    assertThat(List.of(tally.held.get(), tally.timedOut.get(), tally.interrupted.get()))
        .as("held, timed out, interrupted")
        .allMatch(times -> times > 0);
    await().untilAsserted(() -> assertThat(site.server().keys("test:lock:*")).isEmpty());
    await()
        .untilAsserted(
            () ->
                assertThat(site.server().clients("racer"))
                    .isLessThanOrEqualTo(options.connections() + 1L));
    for (int i = 0; i < NAMES; i++) {
      locks.lock("job-" + i).tryAcquire().orElseThrow().close();
    }
    locks.close();
  }

  private static void race(
      DistributedLock lock, ScheduledExecutorService interrupter, Tally tally) {
    Thread self = Thread.currentThread();
    ThreadLocalRandom random = ThreadLocalRandom.current();
    Future<?> interrupt =
        interrupter.schedule(self::interrupt, anyScale(random), TimeUnit.NANOSECONDS);
    try {
      Optional<Lease> lease = lock.tryAcquire(Duration.ofNanos(anyScale(random)));
      lease.ifPresent(Lease::close);
      (lease.isPresent() ? tally.held : tally.timedOut).incrementAndGet();
    } catch (InterruptedException meant) {
      tally.interrupted.incrementAndGet();
    } catch (LockException unexpected) {
      tally.failed.add(unexpected);
    } finally {
      if (!interrupt.cancel(false)) {
        awaitDone(interrupt);
      }
      Thread.interrupted();
    }
  }

  /** From 8 us to 16 ms, each magnitude as often: some of them race on any machine. */
  private static long anyScale(ThreadLocalRandom random) {
    return (long) Math.scalb(1 + random.nextDouble(), random.nextInt(13, 24));
  }

  private static void awaitDone(Future<?> done) {
    while (!done.isDone()) {
      Thread.onSpinWait();
    }
  }

  /**
   * Renewal and release in two steps, as the founding article of this kind has them: between the
   * look and the act the key may have become another's.
   */
  private record TwoSteps(Connection connection, String key, String worker) {
    boolean isMine() {
      connection.sendCommand(Command.GET, key);
      return worker.equals(connection.getBulkReply());
    }

    void extend() {
      connection.sendCommand(Command.EXPIRE, key, "1000");
      connection.getOne();
    }

    void delete() {
      connection.sendCommand(Command.DEL, key);
      connection.getOne();
    }
  }

  @Test
  void lookingAndActingInTwoStepsHitsTheSuccessorsKey() {
    try (Connection connection = site.server().connect()) {
      TwoSteps former = new TwoSteps(connection, "lock", "former");
      site.server().ask("SET", "lock", "former", "NX", "EX", "1000");
      assertThat(former.isMine()).isTrue();
      expireAndTakeOver();

      former.extend();
      assertThat(site.server().ask("TTL", "lock")).as("another's lock extended").isEqualTo(1_000L);

      former.delete();
      assertThat(site.server().ask("EXISTS", "lock")).as("another's lock deleted").isEqualTo(0L);
    }
  }

  @Test
  void actingInOneStepDoesNot() {
    try (RedisLink link = RedisLink.open(site.settings(site.server().port()), "former")) {
      KeyClaim former = new KeyClaim("lock", "lock", "last", "token", "former");
      assertThat(link.take(former, 1_000_000)).isTrue();
      expireAndTakeOver();

      assertThat(link.renew(former, 1_000_000, true).loss()).isPresent();
      assertThat(link.release(former)).isPresent();

      assertThat(site.server().ask("GET", "lock")).isEqualTo("successor");
      assertThat((Long) site.server().ask("TTL", "lock")).isLessThanOrEqualTo(15);
    }
  }

  private void expireAndTakeOver() {
    site.server().ask("DEL", "lock");
    site.server().ask("SET", "lock", "successor", "NX", "EX", "15");
  }
}
