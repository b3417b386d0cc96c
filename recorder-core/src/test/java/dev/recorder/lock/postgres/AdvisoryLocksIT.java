package dev.recorder.lock.postgres;

import static dev.recorder.testing.Patience.A_MINUTE;
import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.lock.DistributedLock;
import dev.recorder.lock.Instruments;
import dev.recorder.lock.Lease;
import dev.recorder.lock.LeaseLostException;
import dev.recorder.lock.LeaseState;
import dev.recorder.lock.LockException;
import dev.recorder.lock.Loss;
import dev.recorder.lock.Loss.Cause;
import dev.recorder.postgres.LockSites;
import dev.recorder.testing.TcpProxy;
import dev.recorder.testing.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Advisory locks on a real server: what is granted, how it is lost, and how that is noticed. */
class AdvisoryLocksIT {
  private static TestDatabase database;

  private final List<AutoCloseable> open = new ArrayList<>();

  @BeforeAll
  static void create() throws Exception {
    database = TestDatabase.createOwned();
    LockSites.create(database);
  }

  @AfterAll
  static void drop() throws Exception {
    database.close();
  }

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
  }

  private AdvisoryLocks locks(String worker) {
    return locks(worker, database.server().port());
  }

  private AdvisoryLocks locks(String worker, int port) {
    AdvisoryLocks locks =
        new AdvisoryLocks(LockSites.sessions(database, worker, port), Instruments.PLAIN);
    open.add(locks);
    return locks;
  }

  private static Lease take(DistributedLock lock) {
    return lock.tryAcquire().orElseThrow();
  }

  private static Loss loss(Lease lease) throws Exception {
    return lease.lost().toCompletableFuture().get(1, TimeUnit.MINUTES);
  }

  @Test
  void aLockThatIsHeldIsNotGrantedToAnotherSession() {
    Lease lease = take(locks("a").lock("held"));
    assertThat(locks("b").lock("held").tryAcquire()).isEmpty();
    lease.close();
    assertThat(locks("b").lock("held").tryAcquire()).isPresent();
  }

  @Test
  void aLockThatIsHeldIsNotStackedByItsOwnSession() {
    AdvisoryLocks locks = locks("a");
    Lease lease = take(locks.lock("twice"));
    assertThat(locks.lock("twice").tryAcquire()).isEmpty();
    lease.close();
    assertThat(locks("b").lock("twice").tryAcquire()).isPresent();
  }

  @Test
  void namesAndLockIdsAreDifferentLocks() {
    AdvisoryLocks locks = locks("a");
    take(locks.lock("7"));
    take(locks.lock(7));
    assertThat(locks("b").lock(7).tryAcquire()).isEmpty();
    assertThat(locks("b").lock("7").tryAcquire()).isEmpty();
  }

  @Test
  void aLockIdIsThatOfRecorders() throws Exception {
    take(locks("a").lock(42));
    assertThat(
            LockSites.number(
                database,
                "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2"
                    + " AND objid = 42 AND classid::bigint::bit(32) ="
                    + " ('x' || left(md5('recorder'), 8))::bit(32)"))
        .isEqualTo(1);
  }

  @Test
  @Tag("smoke")
  void tokensRiseWithEachGrant() {
    List<Long> tokens = new ArrayList<>();
    AdvisoryLocks first = locks("a");
    AdvisoryLocks second = locks("b");
    for (int i = 0; i < 10; i++) {
      Lease lease = take((i % 2 == 0 ? first : second).lock("tokens"));
      tokens.add(lease.token());
      lease.close();
    }
    assertThat(tokens).isSorted().doesNotHaveDuplicates();
  }

  @Test
  @Tag("smoke")
  void aWaiterHasTheLockAsSoonAsItIsReleased() throws Exception {
    Lease lease = take(locks("a").lock("awaited"));
    CompletableFuture<Lease> waiter = acquire(locks("b").lock("awaited"));
    Thread.sleep(450);
    assertThat(waiter).isNotDone();
    lease.close();
    assertThat(waiter).succeedsWithin(A_MINUTE);
  }

  @Test
  void aWaitThatIsTooShortForTheServerAsksFewTimes() throws Exception {
    take(locks("a").lock("short"));
    try (TcpProxy proxy = TcpProxy.to(database.server().port())) {
      DistributedLock waited = slow(proxy.port()).lock("short");
      waited.tryAcquire();
      long before = proxy.bytesToTarget();
      waited.tryAcquire();
      long once = proxy.bytesToTarget() - before;

      assertThat(waited.tryAcquire(Duration.ofSeconds(2))).isEmpty();

      assertThat(proxy.bytesToTarget() - before - once).isLessThan(100 * once);
    }
  }

  @Test
  void aWaitThatIsTooShortForTheServerEndsWithALastLook() throws Exception {
    Lease lease = take(locks("a").lock("last look"));
    CompletableFuture<Optional<Lease>> waiter =
        CompletableFuture.supplyAsync(
            () -> within(slow(database.server().port()).lock("last look"), Duration.ofSeconds(5)));
    Thread.sleep(1_000);
    lease.close();
    assertThat(waiter.get(1, TimeUnit.MINUTES)).isPresent();
  }

  /** Waits in the server for no less than half a minute, and so not at all. */
  private AdvisoryLocks slow(int port) {
    AdvisoryLocks locks =
        new AdvisoryLocks(
            LockSites.sessions(database, "slow", port), Instruments.PLAIN, Duration.ofSeconds(30));
    open.add(locks);
    return locks;
  }

  private static Optional<Lease> within(DistributedLock lock, Duration limit) {
    try {
      return lock.tryAcquire(limit);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aWaiterOfTheSameSessionHasItToo() throws Exception {
    AdvisoryLocks locks = locks("a");
    Lease lease = take(locks.lock("local"));
    CompletableFuture<Lease> waiter = acquire(locks.lock("local"));
    Thread.sleep(250);
    assertThat(waiter).isNotDone();
    lease.close();
    assertThat(waiter.get(1, TimeUnit.MINUTES).state()).isEqualTo(LeaseState.HELD);
  }

  private static CompletableFuture<Lease> acquire(DistributedLock lock) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return lock.acquire();
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
        });
  }

  @Test
  void whoWaitsInVainIsToldSoAfterTheLimit() throws Exception {
    take(locks("a").lock("vain"));
    long start = System.nanoTime();
    assertThat(locks("b").lock("vain").tryAcquire(Duration.ofMillis(300))).isEmpty();
    assertThat(Duration.ofNanos(System.nanoTime() - start))
        .isBetween(Duration.ofMillis(290), A_MINUTE);
  }

  @Test
  void anInterruptEndsTheWaitAndLeavesTheSessionToOthers() throws Exception {
    take(locks("a").lock("interrupted"));
    AdvisoryLocks waiting = locks("b");
    Lease other = take(waiting.lock("other"));
    CompletableFuture<Throwable> outcome = new CompletableFuture<>();
    Thread waiter =
        new Thread(
            () -> {
              try {
                waiting.lock("interrupted").acquire();
              } catch (Throwable e) {
                outcome.complete(e);
              }
            });
    waiter.start();
    Thread.sleep(150);
    waiter.interrupt();
    assertThat(outcome.get(1, TimeUnit.MINUTES)).isInstanceOf(InterruptedException.class);
    assertThat(other.state()).isEqualTo(LeaseState.HELD);
    other.close();
  }

  @Test
  void aWaitDoesNotEndTheLeasesOfItsSession() throws Exception {
    take(locks("a").lock("long"));
    try (TcpProxy proxy = TcpProxy.to(database.server().port())) {
      AdvisoryLocks waiting = locks("b", proxy.port());
      Lease other = take(waiting.lock("beside"));
      assertThat(waiting.lock("long").tryAcquire(other.remaining().plusSeconds(1))).isEmpty();
      assertThat(other.state()).isEqualTo(LeaseState.HELD);
      other.close();
    }
  }

  @Test
  void theEndOfASessionIsReadWhenItComesAndEndsAllItsLeases() throws Exception {
    EndedSessions.measure(database, this::locks).assertToldWhenItHappens("without TLS");
  }

  @Test
  void aWaiterThatIsCutOffDoesNotKeepTheLockThatItInherits() throws Exception {
    Lease lease = take(locks("a").lock("inherited"));
    try (TcpProxy proxy = TcpProxy.to(database.server().port())) {
      AdvisoryLocks half = locks("half", proxy.port());
      CompletableFuture<Lease> waiter = acquire(half.lock("inherited"));
      Thread.sleep(150);
      proxy.cut();
      lease.close();
      assertThat(locks("c").lock("inherited").tryAcquire(A_MINUTE)).isPresent();
      assertThat(waiter).failsWithin(A_MINUTE);
    }
  }

  @Test
  void aTimeoutThatMetTheGrantIsAGrant() throws Exception {
    // The server is made to report a time-out although it has granted: by a function in its place.
    Lease lease;
    try (LockSites.Detour late = LockSites.lateTimeout(database)) {
      lease = locks("raced").lock("raced").tryAcquire(A_MINUTE).orElseThrow();
      assertThat(late.calls()).isEqualTo(1);
    }
    assertThat(locks("b").lock("raced").tryAcquire()).isEmpty();
    lease.close();
    assertThat(locks("b").lock("raced").tryAcquire()).isPresent();
  }

  @Test
  void aFailureBehindTheGrantLeavesNoLockAndNoOtherLeaseLost() throws Exception {
    Lease other;
    try (LockSites.Detour failing = LockSites.failureBehindTheSecondGrant(database)) {
      AdvisoryLocks locks = locks("denied");
      other = take(locks.lock("kept"));
      assertThatThrownBy(() -> locks.lock("denied").tryAcquire())
          .hasMessageContaining("lock denied")
          .hasMessageContaining("out of shared memory");
      assertThat(failing.calls()).isEqualTo(2);
    }
    assertThat(other.state()).isEqualTo(LeaseState.HELD);
    assertThat(locks("b").lock("denied").tryAcquire()).isPresent();
    other.close();
  }

  @Test
  void aTokenThatCannotBeDrawnCostsNoLeaseAndIsDrawnLater() throws Exception {
    Lease lease = take(locks("a").lock("tokenless"));
    LockSites.execute(database, "ALTER SEQUENCE recorder.lock_token RENAME TO lock_token_away");
    try {
      assertThatThrownBy(lease::token)
          .isInstanceOf(LockException.class)
          .isNotInstanceOf(LeaseLostException.class)
          .hasMessageContaining("the tables of locks are missing");
    } finally {
      LockSites.execute(database, "ALTER SEQUENCE recorder.lock_token_away RENAME TO lock_token");
    }
    assertThat(lease.state()).isEqualTo(LeaseState.HELD);
    assertThat(lease.token()).isPositive();
    lease.close();
  }

  @Test
  void aLeaseThatIsOverDrawsNoTokenThatCouldBeGreaterThanItsSuccessors() throws Exception {
    Lease closed = take(locks("a").lock("over"));
    closed.close();
    assertThatThrownBy(closed::token).isInstanceOf(LeaseLostException.class);

    Lease lost = take(locks("lost").lock("over"));
    LockSites.terminate(database, "lost");
    Lease next = locks("b").lock("over").tryAcquire(A_MINUTE).orElseThrow();
    assertThat(next.token()).isPositive();
    assertThatThrownBy(lost::token).isInstanceOf(LeaseLostException.class);
  }

  @Test
  void whoIsToldOfALossMayAskForATokenWhileOthersDo() throws Exception {
    try (TcpProxy proxy = TcpProxy.to(database.server().port())) {
      AdvisoryLocks locks = locks("asking", proxy.port());
      Lease first = take(locks.lock("first"));
      Lease second = take(locks.lock("second"));
      CompletionStage<Long> told = first.lost().thenApply(loss -> first.token());
      proxy.cut();
      CompletableFuture<Long> whoseAnswerDoesNotCome = CompletableFuture.supplyAsync(second::token);
      Thread.sleep(100);
      CompletableFuture<Long> whoWaitsForTheSession = CompletableFuture.supplyAsync(first::token);

      for (CompletionStage<Long> each :
          List.of(whoseAnswerDoesNotCome, whoWaitsForTheSession, told)) {
        assertThat(each.toCompletableFuture())
            .failsWithin(A_MINUTE)
            .withThrowableThat()
            .withCauseInstanceOf(LeaseLostException.class);
      }
      assertThat(second.lost().toCompletableFuture()).isDone();
    }
  }

  @Test
  void aTokenThatWasDrawnStaysWhatItIs() throws Exception {
    Lease lease = take(locks("a").lock("drawn"));
    long token = lease.token();
    assertThat(lease.token()).isEqualTo(token);
    lease.close();
    assertThat(lease.token()).isEqualTo(token);
  }

  @Test
  void locksOfWhichNobodyAsksATokenNeedNoTables() throws Exception {
    try (TestDatabase empty = TestDatabase.createOwned();
        AdvisoryLocks locks =
            new AdvisoryLocks(
                LockSites.sessions(empty, "bare", empty.server().port()), Instruments.PLAIN)) {
      Lease lease = take(locks.lock("bare"));
      lease.close();
    }
  }

  @Test
  void tenThousandRacesBetweenTheGrantAndItsTimeoutLeaveNoLock() throws Exception {
    Duration slice = Duration.ofMillis(1);
    int port = database.server().port();
    List<CompletableFuture<Integer>> racers = new ArrayList<>();
    int had;
    try (LockSites.Detour waits = LockSites.countedWaits(database)) {
      for (int racer = 0; racer < 2; racer++) {
        AdvisoryLocks locks =
            new AdvisoryLocks(
                LockSites.sessions(database.name(), "races", port), Instruments.PLAIN, slice);
        open.add(locks);
        // The first wait is one in the server, which ends with the slice.
        Duration wait = slice.multipliedBy(2);
        racers.add(CompletableFuture.supplyAsync(() -> race(locks.lock("race"), 5_000, wait)));
      }
      had = racers.get(0).get(5, TimeUnit.MINUTES) + racers.get(1).get(5, TimeUnit.MINUTES);
      assertThat(waits.calls()).as("waits in the server").isGreaterThan(1_000);
    }
    assertThat(had).isBetween(100, 10_000);
    assertThat(
            LockSites.number(
                database,
                "SELECT count(*) FROM pg_locks JOIN pg_stat_activity USING (pid)"
                    + " WHERE locktype = 'advisory' AND application_name LIKE '%/races/%'"))
        .isZero();
  }

  /** Holds it for about as long as the other waits in the server. */
  private static int race(DistributedLock lock, int times, Duration wait) {
    int had = 0;
    try {
      for (int i = 0; i < times; i++) {
        Optional<Lease> lease = lock.tryAcquire(wait);
        if (lease.isPresent()) {
          had++;
          Thread.sleep(i % 3 == 0 ? 1 : 0, i * 7_919 % 900_000);
          lease.get().close();
        }
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    return had;
  }

  @Test
  void manyWaitersOnASessionCostItsLeasesNothing() throws Exception {
    Lease wanted = take(locks("a").lock("crowd"));
    AdvisoryLocks crowded = locks("b");
    Lease other = take(crowded.lock("beside the crowd"));
    List<CompletableFuture<Optional<Lease>>> waiters = new ArrayList<>();
    for (int i = 0; i < 32; i++) {
      CompletableFuture<Optional<Lease>> waiter = new CompletableFuture<>();
      waiters.add(waiter);
      new Thread(
              () -> {
                try {
                  Optional<Lease> had = crowded.lock("crowd").tryAcquire(A_MINUTE.multipliedBy(5));
                  had.ifPresent(Lease::close);
                  waiter.complete(had);
                } catch (Exception e) {
                  waiter.completeExceptionally(e);
                }
              })
          .start();
    }
    Duration left = other.remaining();
    await().until(() -> other.remaining().compareTo(left) > 0);
    wanted.close();
    for (CompletableFuture<Optional<Lease>> waiter : waiters) {
      assertThat(waiter.get(5, TimeUnit.MINUTES)).isPresent();
    }
    other.close();
  }

  @Test
  void closingTheServiceEndsItsLeases() throws Exception {
    AdvisoryLocks locks = locks("closed");
    Lease lease = take(locks.lock("closed"));
    locks.close();
    assertThat(loss(lease).cause()).isEqualTo(Cause.SESSION_TERMINATED);
    assertThat(locks("b").lock("closed").tryAcquire(A_MINUTE)).isPresent();
    assertThatThrownBy(() -> locks.lock("closed").tryAcquire()).hasMessageContaining("are closed");
  }
}
