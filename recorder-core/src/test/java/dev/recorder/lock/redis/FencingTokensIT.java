package dev.recorder.lock.redis;

import static dev.recorder.testing.Patience.A_MINUTE;
import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.lock.DistributedLock;
import dev.recorder.lock.Lease;
import dev.recorder.lock.LockException;
import dev.recorder.lock.postgres.SequenceCounter;
import dev.recorder.postgres.DatabaseSettings;
import dev.recorder.postgres.SchemaNames;
import dev.recorder.postgres.Sessions;
import dev.recorder.testing.TcpProxy;
import dev.recorder.testing.TestDatabase;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tokens follow each other as leases do, or there is no lease. */
class FencingTokensIT {
  private static TestDatabase database;

  private final AtomicLong count = new AtomicLong();
  private RedisSite site;

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

  @BeforeAll
  static void createDatabase() throws Exception {
    database = TestDatabase.createOwned();
    database.execute(
        "CREATE SCHEMA IF NOT EXISTS recorder AUTHORIZATION " + TestDatabase.ROLE,
        "CREATE SEQUENCE IF NOT EXISTS recorder.lock_token",
        "GRANT USAGE ON SEQUENCE recorder.lock_token TO " + TestDatabase.ROLE);
  }

  @AfterAll
  static void dropDatabase() throws Exception {
    database.close();
  }

  @BeforeEach
  void start() {
    site = new RedisSite();
  }

  @AfterEach
  void stop() throws Exception {
    site.close();
  }

  private static Sessions sessions(SchemaNames schemas) {
    return sessions(schemas, database.server().port());
  }

  private static Sessions sessions(SchemaNames schemas, int port) {
    return new Sessions(
        new DatabaseSettings(
            "127.0.0.1",
            port,
            database.name(),
            TestDatabase.ROLE,
            TestDatabase.PASSWORD,
            null,
            null,
            schemas,
            A_MINUTE,
            A_MINUTE),
        "host-a");
  }

  private static SequenceCounter sequence() {
    return new SequenceCounter(sessions(SchemaNames.DEFAULT), A_MINUTE);
  }

  private static CompletableFuture<Optional<Lease>> attempt(DistributedLock lock) {
    CompletableFuture<Optional<Lease>> attempt = new CompletableFuture<>();
    new Thread(
            () -> {
              try {
                attempt.complete(lock.tryAcquire());
              } catch (RuntimeException failed) {
                attempt.completeExceptionally(failed);
              }
            })
        .start();
    return attempt;
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
    Stalling stalling = new Stalling();
    DistributedLock slow = site.counting("slow", RedisSite.OPTIONS, stalling).lock("job");
    CompletableFuture<Optional<Lease>> late = attempt(slow);
    stalling.asked.await();

    // Nobody renews a key that no lease needs: it expires, and another takes the lock.
    DistributedLock lock =
        site.counting("quick", RedisSite.LONG, name -> count.incrementAndGet()).lock("job");
    Lease lease = lock.tryAcquire(A_MINUTE).orElseThrow();
    String value = site.value("job");
    stalling.go.countDown();

    assertThatThrownBy(() -> late.get(1, TimeUnit.MINUTES))
        .cause()
        .isInstanceOfSatisfying(
            LockException.class,
            e -> assertThat(e.kind()).isEqualTo(LockException.Kind.UNREACHABLE))
        .hasMessageContaining("fencing token");
    assertThat(count).as("the late one had the greater token").hasValue(lease.token() + 1);
    Thread.sleep(2 * RedisSite.OPTIONS.retry().toMillis() + 100);
    assertThat(site.value("job")).isEqualTo(value).startsWith("quick:");
    lease.close();
  }

  @Test
  void aTokenThatComesLateGivesTheKeyBackAlsoIfNobodyElseHasIt() throws Exception {
    Stalling stalling = new Stalling();
    DistributedLock slow = site.counting("slow", RedisSite.OPTIONS, stalling).lock("job");
    CompletableFuture<Optional<Lease>> late = attempt(slow);
    stalling.asked.await();
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
    Stalling stalling = new Stalling();
    DistributedLock slow = site.counting("slow", RedisSite.LONG, stalling).lock("job");
    CompletableFuture<Optional<Lease>> late = attempt(slow);
    stalling.asked.await();
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
    Stalling stalling = new Stalling();
    DistributedLock slow = site.counting("slow", RedisSite.LONG, stalling).lock("job");
    CompletableFuture<Optional<Lease>> late = attempt(slow);
    stalling.asked.await();
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
              throw new LockException(name, LockException.Kind.UNREACHABLE, "no tokens today");
            });

    assertThatThrownBy(() -> locks.lock("job").tryAcquire()).hasMessageContaining("no tokens");

    await().until(() -> site.value("job") == null);
  }

  @Test
  void anInterruptEndsTheWaitForTheCountersTurnAtOnceAndThatForItsAnswerWithTheAnswer()
      throws Exception {
    try (TcpProxy proxy = TcpProxy.to(database.server().port());
        SequenceCounter counter =
            new SequenceCounter(
                sessions(SchemaNames.DEFAULT, proxy.port()), Duration.ofMinutes(5))) {
      RedisLocks locks = site.counting("one", RedisSite.LONG, counter);
      tokenOf(locks, "before");
      proxy.pauseToClient();
      Waiter asking = new Waiter(locks.lock("asking"));
      await().until(() -> site.value("asking") != null);
      Waiter next = new Waiter(locks.lock("next"));
      await().until(() -> site.value("next") != null);

      next.interrupt();
      asking.interrupt();

      assertThat(next.outcome()).isInstanceOf(InterruptedException.class);
      await().until(() -> site.value("next") == null);
      proxy.resume();
      assertThat(asking.outcome()).isInstanceOf(InterruptedException.class);
      await().until(() -> site.value("asking") == null);
    }
  }

  /** A thread that waits for a lock. */
  private static final class Waiter {
    private final CompletableFuture<Object> outcome = new CompletableFuture<>();
    private final Thread thread;

    Waiter(DistributedLock lock) {
      thread =
          new Thread(
              () -> {
                try {
                  outcome.complete(lock.acquire());
                } catch (Throwable thrown) {
                  outcome.complete(thrown);
                }
              });
      thread.start();
    }

    void interrupt() {
      thread.interrupt();
    }

    Object outcome() throws Exception {
      return outcome.get(1, TimeUnit.MINUTES);
    }
  }

  @Test
  void ofTheSequenceGrowAcrossCountersAndSessions() throws Exception {
    try (SequenceCounter one = sequence();
        SequenceCounter other = sequence()) {
      long first = one.next("a");
      long second = other.next("a");
      assertThat(second).isGreaterThan(first);
      database.execute(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '"
              + database.name()
              + "' AND usename = '"
              + TestDatabase.ROLE
              + "'");

      assertThat(one.next("b")).isGreaterThan(second);
    }
  }

  @Test
  void aDatabaseWithoutTheSequenceIsUnusable() {
    try (SequenceCounter counter =
        new SequenceCounter(sessions(new SchemaNames("elsewhere", "handoff")), A_MINUTE)) {
      assertThatThrownBy(() -> counter.next("job"))
          .isInstanceOfSatisfying(
              LockException.class, e -> assertThat(e.kind()).isEqualTo(LockException.Kind.UNUSABLE))
          .hasMessageContaining("elsewhere");
    }
  }
}
