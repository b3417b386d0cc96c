package dev.recorder.lock.redis;

import static dev.recorder.lock.Leases.assertFails;
import static dev.recorder.testing.Patience.A_MINUTE;
import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.lock.DistributedLock;
import dev.recorder.lock.FencingCounter;
import dev.recorder.lock.Lease;
import dev.recorder.lock.LockException;
import dev.recorder.lock.LockException.Kind;
import dev.recorder.lock.Waiter;
import dev.recorder.lock.postgres.SequenceCounter;
import dev.recorder.postgres.DatabaseSettings;
import dev.recorder.postgres.LockSites;
import dev.recorder.postgres.Sessions;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.testing.network.TcpProxy;
import dev.recorder.testing.servers.TestDatabase;
import java.io.Closeable;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tokens follow each other as leases do, or there is no lease. */
class FencingTokensIT {
  private static TestDatabase database;

  private final AtomicLong count = new AtomicLong();
  private final Stalling stalling = new Stalling();
  @AutoClose private final RedisSite site = new RedisSite();

  /** Stalls until it is let go, then counts. */
  private final class Stalling implements FencingCounter {
    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch go = new CountDownLatch(1);

    @Override
    public long next(String name) {
      asked.countDown();
      try {
        go.await();
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
      }
      return count.incrementAndGet();
    }
  }

  @AfterAll
  static void dropDatabase() throws Exception {
    database.close();
  }

  @BeforeAll
  static void createDatabase() throws Exception {
    database = TestDatabase.createOwned();
    LockSites.create(database);
  }

  private static Sessions sessions(int port) {
    return LockSites.sessions(database.name(), "host-a", port);
  }

  private static SequenceCounter sequence() {
    return new SequenceCounter(sessions(database.server().port()), A_MINUTE);
  }

  /** Takes a lock as {@link #stalling} lets it, and has set its key already. */
  private Waiter<Optional<Lease>> stalled(RedisLockOptions options) throws InterruptedException {
    DistributedLock slow = site.counting("slow", options, stalling).lock("job");
    Waiter<Optional<Lease>> waiter = new Waiter<>(() -> takenOnceAsked(slow));
    assertThat(stalling.asked.await(1, TimeUnit.MINUTES)).as("asked for a token").isTrue();
    return waiter;
  }

  /** On a busy machine Redis may not answer in time, so that an attempt never asks for a token. */
  private Optional<Lease> takenOnceAsked(DistributedLock lock) throws InterruptedException {
    while (true) {
      try {
        return lock.tryAcquire();
      } catch (LockException failed) {
        if (stalling.asked.getCount() == 0 || failed.kind() != Kind.UNREACHABLE) {
          throw failed;
        }
        Thread.sleep(20);
      }
    }
  }

  @Test
  void ofRedisGrowFromLeaseToLeaseOfAName() {
    RedisLocks locks = site.direct("one");

    assertThat(tokenOf(locks, "a")).isEqualTo(1);
    assertThat(tokenOf(locks, "a")).isEqualTo(2);
    assertThat(tokenOf(locks, "b")).isEqualTo(1);
  }

  private static long tokenOf(RedisLocks locks, String name) {
    try (Lease lease = locks.lock(name).tryAcquire().orElseThrow()) {
      return lease.token();
    }
  }

  @Test
  void ofRedisBeginAgainWithItsMemoryAndThoseOfPostgresGoOn() {
    try (SequenceCounter counter = sequence()) {
      RedisLocks own = site.direct("one");
      RedisLocks counted = site.counting("two", RedisSite.OPTIONS, counter);
      long ownBefore = tokenOf(own, "a");
      long countedBefore = tokenOf(counted, "a");

      site.server().restart();

      await().ignoreExceptions().until(() -> own.lock("b").tryAcquire().isPresent());
      assertThat(tokenOf(own, "a")).isEqualTo(ownBefore);
      await().ignoreExceptions().until(() -> counted.lock("c").tryAcquire().isPresent());
      assertThat(tokenOf(counted, "a")).isGreaterThan(countedBefore);
    }
  }

  @Test
  void aTokenThatComesWhenTheLeaseMayBeOverGrantsNothing() throws Exception {
    CompletableFuture<Optional<Lease>> late = stalled(RedisSite.OPTIONS).outcome();

    // Nobody renews a key that no lease needs: it expires, and another takes the lock.
    DistributedLock lock =
        site.counting("quick", RedisSite.LONG, name -> count.incrementAndGet()).lock("job");
    Lease lease = lock.tryAcquire(A_MINUTE).orElseThrow();
    String value = site.value("job");
    stalling.go.countDown();

    assertThatThrownBy(() -> late.get(1, TimeUnit.MINUTES))
        .cause()
        .isInstanceOfSatisfying(
            LockException.class, e -> assertThat(e.kind()).isEqualTo(Kind.UNREACHABLE))
        .hasMessageContaining("fencing token");
    assertThat(count).as("the late one had the greater token").hasValue(lease.token() + 1);
    Thread.sleep(2 * RedisSite.OPTIONS.retry().toMillis() + 100);
    assertThat(site.value("job")).isEqualTo(value).startsWith("quick:");
    lease.close();
  }

  @Test
  void aTokenThatComesLateGivesTheKeyBackAlsoIfNobodyElseHasIt() throws Exception {
    CompletableFuture<Optional<Lease>> late = stalled(RedisSite.OPTIONS).outcome();
    String value = site.value("job");
    // The server's clock stands: the key outlives the lease.
    assertThat(site.server().ask("PERSIST", RedisSite.key("job"))).isEqualTo(1L);
    Thread.sleep(RedisSite.EXPIRY.toMillis());
    assertThat(site.value("job")).isEqualTo(value);

    stalling.go.countDown();

    assertThatThrownBy(() -> late.get(1, TimeUnit.MINUTES))
        .cause()
        .isInstanceOf(LockException.class);
    await().until(() -> site.value("job") == null);
  }

  @Test
  void aKeyThatIsTakenOverWhileItsTokenIsFetchedGrantsNothing() throws Exception {
    CompletableFuture<Optional<Lease>> late = stalled(RedisSite.LONG).outcome();
    site.server().restart();
    DistributedLock lock =
        site.counting("quick", RedisSite.LONG, name -> count.incrementAndGet()).lock("job");
    Lease lease = lock.tryAcquire().orElseThrow();
    Thread.sleep(RedisSite.IDLE_MILLIS);

    stalling.go.countDown();

    assertThat(late.get(1, TimeUnit.MINUTES)).isEmpty();
    assertThat(count).as("the late one had the greater token").hasValue(lease.token() + 1);
    assertThat(site.value("job")).startsWith("quick:");
    lease.close();
  }

  @Test
  void aKeyThatIsDeletedWhileItsTokenIsFetchedGrantsNothing() throws Exception {
    CompletableFuture<Optional<Lease>> late = stalled(RedisSite.LONG).outcome();
    site.server().ask("DEL", RedisSite.key("job"));

    stalling.go.countDown();

    assertThatThrownBy(() -> late.get(1, TimeUnit.MINUTES))
        .cause()
        .hasMessageContaining("its key is gone before its fencing token came");
  }

  @Test
  void aCounterThatFailsLeavesNoKeyBehind() {
    RedisLocks locks =
        site.counting(
            "one",
            RedisSite.LONG,
            name -> {
              throw new LockException(name, Kind.UNREACHABLE, "no tokens today");
            });

    assertThatThrownBy(() -> locks.lock("job").tryAcquire()).hasMessageContaining("no tokens");

    await().until(() -> site.value("job") == null);
  }

  @Test
  void anInterruptEndsTheWaitForTheCountersTurnAtOnceAndThatForItsAnswerWithTheAnswer()
      throws Exception {
    try (TcpProxy proxy = TcpProxy.to(database.server().port());
        SequenceCounter counter =
            new SequenceCounter(sessions(proxy.port()), Duration.ofMinutes(5));
        Closeable first = proxy::resume) {
      RedisLocks locks = site.counting("one", RedisSite.LONG, counter);
      tokenOf(locks, "before");
      proxy.pauseToClient();
      Waiter<Lease> asking = Waiter.of(locks.lock("asking"));
      await().until(() -> site.value("asking") != null);
      Waiter<Lease> next = Waiter.of(locks.lock("next"));
      await().until(() -> site.value("next") != null);

      next.interrupt();
      asking.interrupt();

      next.assertInterrupted();
      await().until(() -> site.value("next") == null);
      proxy.resume();
      asking.assertInterrupted();
      await().until(() -> site.value("asking") == null);
    }
  }

  @Test
  void ofTheSequenceGrowAcrossCountersAndSessions() throws Exception {
    try (SequenceCounter one = sequence();
        SequenceCounter other = sequence()) {
      long first = one.next("a");
      long second = other.next("a");
      assertThat(second).isGreaterThan(first);
      LockSites.terminate(database, "host-a");

      assertThat(one.next("b")).isGreaterThan(second);
    }
  }

  @Test
  void aDatabaseWithoutTheSequenceIsUnusable() {
    DatabaseSettings elsewhere =
        DatabaseSettings.of("127.0.0.1", database.name(), TestDatabase.ROLE)
            .port(database.server().port())
            .password(TestDatabase.PASSWORD)
            .schemas(new SchemaNames("elsewhere", "handoff"))
            .networkTimeout(A_MINUTE)
            .build();
    try (SequenceCounter counter =
        new SequenceCounter(new Sessions(elsewhere, "host-a"), A_MINUTE)) {
      assertFails(Kind.UNUSABLE, () -> counter.next("job")).hasMessageContaining("elsewhere");
    }
  }
}
