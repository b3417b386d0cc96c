package dev.recorder.lock.redis;

import static dev.recorder.lock.Leases.assertFails;
import static dev.recorder.lock.Leases.lossOf;
import static dev.recorder.lock.Leases.take;
import static dev.recorder.testing.Patience.A_MINUTE;
import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.lock.DistributedLock;
import dev.recorder.lock.Events;
import dev.recorder.lock.Instruments;
import dev.recorder.lock.JumpingTicker;
import dev.recorder.lock.Lease;
import dev.recorder.lock.LeaseLostException;
import dev.recorder.lock.LeaseState;
import dev.recorder.lock.LockException;
import dev.recorder.lock.LockException.Kind;
import dev.recorder.lock.LockListener;
import dev.recorder.lock.Loss;
import dev.recorder.lock.Waiter;
import dev.recorder.testing.network.TcpProxy;
import dev.recorder.time.Ticker;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** What a holder is told, how soon, and what is left behind, when something breaks. */
class RedisFaultsIT {
  private final Events events = new Events();
  private final JumpingTicker clock = new JumpingTicker();
  @AutoClose private final RedisSite site = new RedisSite();

  private Lease held(RedisLockOptions options) {
    return take(site.proxied("one", options, events.instruments()).lock("job"));
  }

  @Test
  void isLostAtItsDeadlineAlsoWhileARenewalHangs() throws Exception {
    // The first renewal hangs from 3.0 s to 5.9 s, the next from 6.8 s to 9.7 s: over the deadline.
    RedisLocks locks =
        new RedisLocks(
            RedisSettings.of("127.0.0.1", site.proxy().port())
                .timeout(Duration.ofMillis(2_900))
                .build(),
            "one",
            RedisSite.OPTIONS.withExpiry(Duration.ofSeconds(9)),
            events.instruments());
    try (locks) {
      Lease lease = take(locks.lock("job"));
      CompletableFuture<String> toldBy =
          lease.lost().thenApply(loss -> Thread.currentThread().getName()).toCompletableFuture();
      site.proxy().cut();
      long asked = System.nanoTime();
      Duration left = lease.remaining();

      Loss loss = lossOf(lease);

      assertThat(loss.cause()).isEqualTo(Loss.Cause.LEASE_EXPIRED);
      assertThat(Duration.ofNanos(System.nanoTime() - asked)).isGreaterThanOrEqualTo(left);
      assertThat(toldBy.join()).as("and not by who renews").startsWith("redis-lock-deadlines");
      assertThat(events.told()).contains("in doubt").endsWith("lost: LEASE_EXPIRED");
    }
  }

  /** As a listener may leave one, or a counter: nobody ends these threads so. */
  @Test
  void anInterruptThatIsLeftOnItsThreadsEndsNeither() throws Exception {
    Map<Thread, Integer> asked = new ConcurrentHashMap<>();
    Ticker leaving =
        () -> {
          Thread thread = Thread.currentThread();
          if (thread.getName().startsWith("redis-lock-")
              && asked.merge(thread, 1, Integer::sum) == 1) {
            thread.interrupt();
          }
          return System.nanoTime();
        };
    Lease lease =
        take(
            site.proxied("one", RedisSite.OPTIONS, new Instruments(leaving, LockListener.NONE))
                .lock("job"));
    await().until(() -> asked.size() == 2);
    long before = lease.token();

    site.server().ask("DEL", RedisSite.key("job"));

    await().until(() -> lease.token() > before); // It is renewed.
    await().until(() -> asked.values().stream().allMatch(times -> times > 4)); // By a look or two.
    assertThat(lease.state().isFinal()).isFalse();
  }

  @Test
  void isTakenOverWhenItsKeyWasOverwrittenByNoLock() throws Exception {
    Lease lease = held(RedisSite.OPTIONS);
    String both = "redis.call('DEL', KEYS[1]) return redis.call('LPUSH', KEYS[1], 'something')";
    site.server().ask("EVAL", both, "1", RedisSite.key("job")); // Else it might be taken again.

    assertThat(lossOf(lease).cause()).isEqualTo(Loss.Cause.TAKEN_OVER);
    assertThat(site.server().ask("LLEN", RedisSite.key("job"))).isEqualTo(1L);
    assertThat(site.direct("other").lock("job").tryAcquire()).isEmpty();
  }

  @Test
  void aReleaseTellsThatTheLockHadBeenLost() {
    Lease forgotten = held(RedisSite.LONG);
    site.server().ask("FLUSHALL");
    assertThatThrownBy(forgotten::close)
        .isInstanceOf(LeaseLostException.class)
        .hasMessageContaining("its key is gone");

    Lease overwritten = held(RedisSite.LONG);
    site.server().ask("SET", RedisSite.key("job"), "other:1");
    assertThatThrownBy(overwritten::close)
        .isInstanceOf(LeaseLostException.class)
        .hasMessageContaining("held by other");
    assertThat(site.value("job")).isEqualTo("other:1");
  }

  @Test
  void whatAnAttemptWithoutAnAnswerHasSetIsGivenBackWhenTheServerAnswersAgain() {
    DistributedLock lock =
        site.proxied("one", RedisSite.LONG, new Instruments(clock, events)).lock("job");
    clock.stop(); // The connection is trusted: the attempt itself is sent.
    take(lock).close();
    site.proxy().pauseToClient();

    assertFails(Kind.UNREACHABLE, lock::tryAcquire);

    clock.goOn();
    assertThat(site.value("job")).startsWith("one:");
    site.proxy().resume();
    await().until(() -> site.value("job") == null);
    assertThat(events.told()).containsExactly("acquired", "released");
  }

  @Test
  void whatAServerSetsThatWasFrozenIsGivenBackToo() throws Exception {
    RedisLockOptions options = RedisSite.LONG;
    DistributedLock lock = site.proxied("one", options, events.instruments()).lock("job");
    take(lock).close();
    site.server().freeze();
    assertThatThrownBy(lock::tryAcquire).isInstanceOf(LockException.class);

    site.server().thaw();

    DistributedLock other = site.direct("other", options).lock("job");
    Lease lease = other.tryAcquire(A_MINUTE).orElseThrow();
    Thread.sleep(2 * options.retry().toMillis() + 200);
    assertThat(site.value("job")).startsWith("other:");
    lease.close();
  }

  @Test
  void whatReachesTheServerOnlyAfterItWasLookedForIsGivenBackToo() throws Exception {
    try (TcpProxy slow = TcpProxy.to(site.server().port());
        TcpProxy way = TcpProxy.to(slow.port());
        RedisLocks locks =
            new RedisLocks(
                site.settings(way.port()), "one", RedisSite.LONG, new Instruments(clock, events))) {
      DistributedLock lock = locks.lock("job");
      // The connection is trusted, so that the attempt itself is sent, and looked for once.
      clock.stop();
      take(lock).close();
      // The connection that is open stays on the slow way; those to come do not take it.
      slow.pauseToTarget();
      way.redirect(site.server().port());
      assertThatThrownBy(lock::tryAcquire).isInstanceOf(LockException.class);
      await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(5)).until(this::isLookedFor);
      assertThat(site.value("job")).isNull();

      slow.resume();

      await().until(() -> "2".equals(site.server().ask("GET", "test:token:{job}")));
      clock.goOn();
      await().until(() -> site.value("job") == null);
    }
  }

  /** By a second connection, whose last command was a script. */
  private boolean isLookedFor() {
    return site.server()
            .ask("CLIENT", "LIST")
            .toString()
            .lines()
            .filter(client -> client.contains(" name=one ") && client.contains(" cmd=eval"))
            .count()
        == 2;
  }

  @Test
  void whatCouldNotBeReleasedIsGivenBackWhenTheServerAnswersAgain() {
    Lease lease = held(RedisSite.LONG);
    site.proxy().cut();

    assertFails(Kind.UNREACHABLE, lease::close);
    assertThat(site.value("job")).startsWith("one:");

    site.proxy().heal();
    await().until(() -> site.value("job") == null);
  }

  @Test
  void anInterruptEndsAWaitAtOnceAlsoWhileTheServerHangs() throws Exception {
    RedisSettings patient =
        RedisSettings.of("127.0.0.1", site.server().port()).timeout(Duration.ofSeconds(90)).build();
    try (RedisLocks locks = new RedisLocks(patient, "one", RedisSite.LONG, Instruments.PLAIN)) {
      DistributedLock lock = locks.lock("job");
      take(lock).close();
      site.server().freeze();
      Waiter<Lease> waiter = Waiter.of(lock);
      Thread.sleep(200);
      assertThat(waiter.outcome()).isNotDone();

      waiter.interrupt();

      waiter.assertInterrupted();
      site.server().thaw();
      await().until(() -> site.value("job") == null);
    }
  }

  @Test
  void closingDoesNotWaitForAServerThatHangs() {
    RedisLocks locks = site.proxied("one", RedisSite.LONG, events.instruments());
    Lease lease = take(locks.lock("job"));
    site.server().freeze();

    assertThat(CompletableFuture.runAsync(locks::close)).succeedsWithin(A_MINUTE);

    assertThat(lease.state()).isEqualTo(LeaseState.LOST);
    site.server().thaw();
  }

  @Test
  void aServerThatIsGoneIsToldFromALockThatIsTaken() {
    DistributedLock lock = site.direct("one").lock("job");
    site.server().kill();

    assertFails(Kind.UNREACHABLE, lock::tryAcquire)
        .hasMessageStartingWith("lock job: cannot connect to redis://127.0.0.1:");
  }

  @Test
  void anIdleConnectionThatWasClosedIsNotTrusted() throws Exception {
    DistributedLock lock = site.proxied("one", RedisSite.OPTIONS, events.instruments()).lock("job");
    take(lock).close();
    site.server().restart();
    Thread.sleep(RedisSite.IDLE_MILLIS);

    take(lock).close();
  }
}
