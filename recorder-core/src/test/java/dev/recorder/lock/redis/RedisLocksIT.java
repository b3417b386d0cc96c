package dev.recorder.lock.redis;

import static dev.recorder.lock.Leases.atOnce;
import static dev.recorder.lock.Leases.lossOf;
import static dev.recorder.lock.Leases.take;
import static dev.recorder.testing.Patience.A_MINUTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.lock.DistributedLock;
import dev.recorder.lock.Instruments;
import dev.recorder.lock.Lease;
import dev.recorder.lock.LeaseLostException;
import dev.recorder.lock.LeaseState;
import dev.recorder.lock.LockException;
import dev.recorder.lock.Loss;
import dev.recorder.lock.Waiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The lock on a Redis server that works. */
class RedisLocksIT {
  /** On a busy host a renewal may take its time; it still counts. */
  private static final Set<LeaseState> HELD_OR_ASKED_FOR =
      EnumSet.of(LeaseState.HELD, LeaseState.IN_DOUBT);

  @AutoClose private static final RedisSite site = new RedisSite();

  @BeforeEach
  void forget() {
    site.server().ask("FLUSHALL");
  }

  @Test
  void isHadByOneUntilItIsReleased() {
    DistributedLock one = site.direct("one").lock("job");
    DistributedLock other = site.direct("other").lock("job");

    Lease lease = take(one);

    assertThat(other.tryAcquire()).isEmpty();
    assertThat(one.tryAcquire()).as("not re-entrant").isEmpty();
    assertThat(site.value("job")).startsWith("one:");
    lease.close();
    lease.close();
    assertThat(site.value("job")).isNull();
    assertThat(lease.state()).isEqualTo(LeaseState.RELEASED);
    try (Lease next = take(other)) {
      assertThat(next.token()).isGreaterThan(lease.token());
    }
  }

  @Test
  void namesAndPrefixesAreLocksOfTheirOwn() {
    RedisLocks locks = site.direct("one");
    RedisLocks elsewhere = site.direct("one", RedisSite.OPTIONS.withPrefix("other:"));

    try (Lease first = take(locks.lock("a"));
        Lease second = take(locks.lock("b"));
        Lease third = take(elsewhere.lock("a"))) {
      assertThat(site.server().keys("*lock:*"))
          .containsExactlyInAnyOrder("test:lock:{a}", "test:lock:{b}", "other:lock:{a}");
      assertThat(List.of(first.name(), second.name(), third.name())).containsExactly("a", "b", "a");
    }
  }

  @Test
  void refusesNamesThatWouldMoveTheKeyToAnotherSlot() {
    RedisLocks locks = site.direct("one");

    for (String name : List.of("", "a b", "{a", "a}", "a\n", "ä")) {
      assertThatThrownBy(() -> locks.lock(name)).isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void isRenewedForAsLongAsItIsHeld() throws Exception {
    DistributedLock other = site.direct("other").lock("job");
    try (Lease lease = take(site.direct("one").lock("job"))) {
      long end = System.nanoTime() + RedisSite.EXPIRY.multipliedBy(3).dividedBy(2).toNanos();
      while (System.nanoTime() - end < 0) {
        assertThat(other.tryAcquire()).isEmpty();
        assertThat(lease.state()).isIn(HELD_OR_ASKED_FOR);
        lease.ensure(Duration.ofMillis(1));
        Thread.sleep(50);
      }
    }
  }

  @Test
  void aLeaseNeverCountsLongerThanItsKeyLivesHoweverSlowTheNetwork() throws Exception {
    site.proxy().delay(Duration.ofMillis(45));
    RedisLocks locks = site.proxied("one", RedisSite.OPTIONS, Instruments.PLAIN);
    try (Lease lease = take(locks.lock("job"))) {
      for (int i = 0; i < 100; i++) {
        long mine = lease.remaining().toMillis();
        long its = site.ttlMillis("job") + 1;
        long after = lease.remaining().toMillis();
        if (after > mine) {
          continue; // It was renewed between the two.
        }
        assertThat(after).isPositive().isLessThanOrEqualTo(its);
        Thread.sleep(50); // A third of the expiry and more, in all: it is renewed, too.
      }
    }
    site.proxy().heal();
  }

  @Test
  void expiresWhenItsHolderIsGone() throws Exception {
    site.server().ask("SET", RedisSite.key("job"), "dead:1", "NX", "PX", "300000");

    assertThat(site.direct("one").lock("job").tryAcquire()).isEmpty();
    site.server().ask("PEXPIRE", RedisSite.key("job"), "500");
    try (Lease lease = site.direct("other").lock("job").tryAcquire(A_MINUTE).get()) {
      assertThat(lease.state()).isEqualTo(LeaseState.HELD);
    }
  }

  @Test
  void waitersDoNotStarveRenewals() throws Exception {
    Duration expiry = Duration.ofSeconds(6); // Shorter than others': waiters take the processors.
    RedisLockOptions oneConnection = new RedisLockOptions("test:", expiry, Duration.ofNanos(2), 1);
    RedisLocks locks = site.direct("one", oneConnection);
    List<Waiter<Lease>> crowd = new ArrayList<>();
    try (Lease lease = take(locks.lock("job"))) {
      for (int i = 0; i < 4; i++) {
        crowd.add(Waiter.of(locks.lock("job")));
      }
      Thread.sleep(expiry.plusMillis(500).toMillis());
      assertThat(lease.state()).isIn(HELD_OR_ASKED_FOR);
      crowd.forEach(Waiter::interrupt);
      // On a busy machine one may have ended before: it waits for the connection a while only.
      crowd.forEach(waiter -> assertThat(waiter.outcome()).failsWithin(A_MINUTE));
    }
  }

  @Test
  void excludesAllOthersHoweverManyClientsContend() throws Exception {
    int clients = 4;
    int turns = 100;
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger together = new AtomicInteger();
    AtomicInteger outOfOrder = new AtomicInteger();
    AtomicLong lastToken = new AtomicLong();
    RedisLockOptions eager =
        new RedisLockOptions("test:", Duration.ofMinutes(5), Duration.ofMillis(1), 4);
    List<Callable<Void>> threads = new ArrayList<>();
    for (int client = 0; client < clients; client++) {
      DistributedLock lock = site.direct("client-" + client, eager).lock("job");
      Callable<Void> thread =
          () -> {
            for (int turn = 0; turn < turns; turn++) {
              try (Lease lease = lock.acquire()) {
                together.addAndGet(inside.incrementAndGet() - 1);
                if (lastToken.getAndSet(lease.token()) >= lease.token()) {
                  outOfOrder.incrementAndGet();
                }
                inside.decrementAndGet();
              }
            }
            return null;
          };
      threads.addAll(List.of(thread, thread));
    }
    atOnce(threads);

    assertThat(together).hasValue(0);
    assertThat(outOfOrder).hasValue(0);
    assertThat(lastToken).hasValue(2L * clients * turns);
    assertThat(site.server().keys("test:lock:*")).isEmpty();
  }

  @Test
  void closingTellsHoldersAndGivesKeysBack() throws Exception {
    RedisLocks locks = site.direct("closing", RedisSite.LONG);
    DistributedLock lock = locks.lock("job");
    Lease lease = take(lock);

    locks.close();

    assertThat(lossOf(lease).cause()).isEqualTo(Loss.Cause.REVOKED);
    assertThat(site.value("job")).isNull();
    assertThatThrownBy(lease::close).isInstanceOf(LeaseLostException.class);
    assertThatThrownBy(lock::tryAcquire).isInstanceOf(LockException.class);
    assertThat(site.server().clients("closing")).isZero();
  }

  @Test
  void whatTheServerIsToldHasNoTimeInItButTheExpiry() throws Exception {
    site.server().ask("CONFIG", "SET", "slowlog-log-slower-than", "0");
    site.server().ask("CONFIG", "SET", "slowlog-max-len", "1000");
    // Of the tests before, it has what took long on a busy machine.
    site.server().ask("SLOWLOG", "RESET");
    try (RedisLocks locks =
        new RedisLocks(
            site.settings(site.server().port()),
            "one",
            RedisSite.OPTIONS,
            Instruments.PLAIN,
            name -> 1)) {
      Lease lease = take(locks.lock("job"));
      Thread.sleep(RedisSite.EXPIRY.toMillis() / 2); // It is renewed once.
      lease.close();
    }
    List<?> slow = (List<?>) site.server().ask("SLOWLOG", "GET", "1000");
    site.server().ask("CONFIG", "SET", "slowlog-log-slower-than", "-1");

    List<String> numbers =
        slow.stream()
            .map(entry -> (List<?>) ((List<?>) entry).get(3))
            .filter(command -> command.toString().contains(RedisSite.key("job")))
            .flatMap(command -> command.stream().skip(1).map(Object::toString))
            .filter(argument -> argument.matches("\\d{2,}"))
            .distinct()
            .toList();
    assertThat(numbers).containsExactly(Long.toString(RedisSite.EXPIRY.toMillis()));
  }
}
