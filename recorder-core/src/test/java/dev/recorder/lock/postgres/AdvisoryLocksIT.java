package dev.recorder.lock.postgres;

import static dev.recorder.lock.Leases.lossOf;
import static dev.recorder.lock.Leases.take;
import static dev.recorder.testing.Patience.A_MINUTE;
import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.lock.DistributedLock;
import dev.recorder.lock.Instruments;
import dev.recorder.lock.Lease;
import dev.recorder.lock.LeaseLostException;
import dev.recorder.lock.LeaseState;
import dev.recorder.lock.Leases;
import dev.recorder.lock.LockException;
import dev.recorder.lock.Loss.Cause;
import dev.recorder.lock.Waiter;
import dev.recorder.postgres.LockSites;
import dev.recorder.postgres.Sessions;
import dev.recorder.testing.network.TcpProxy;
import dev.recorder.testing.servers.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Advisory locks on a real server: what is granted, how it is lost, and how that is noticed. */
@ResourceLock(RowSite.SHARED)
class AdvisoryLocksIT {
  @RegisterExtension private static final RowSite site = RowSite.shared();

  private static AdvisoryLocks locks(String worker) {
    return locks(site.sessions(worker));
  }

  private static AdvisoryLocks locks(Sessions sessions) {
    return site.opened(new AdvisoryLocks(sessions, Instruments.PLAIN));
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
                site.database,
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
    CompletableFuture<Lease> waiter = Waiter.of(locks("b").lock("awaited")).outcome();
    Thread.sleep(450);
    assertThat(waiter).isNotDone();
    lease.close();
    assertThat(waiter).succeedsWithin(A_MINUTE);
  }

  @Test
  void aWaitThatIsTooShortForTheServerAsksFewTimes() throws Exception {
    take(locks("a").lock("short"));
    try (TcpProxy proxy = site.proxy()) {
      DistributedLock waited = slow(site.cut(proxy)).lock("short");
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
    DistributedLock waited = slow(site.sessions("slow")).lock("last look");
    Waiter<Optional<Lease>> waiter = new Waiter<>(() -> waited.tryAcquire(Duration.ofSeconds(5)));
    Thread.sleep(1_000);
    lease.close();
    assertThat(waiter.outcome().get(1, TimeUnit.MINUTES)).isPresent();
  }

  /** Waits in the server for no less than half a minute, and so not at all. */
  private static AdvisoryLocks slow(Sessions sessions) {
    return site.opened(new AdvisoryLocks(sessions, Instruments.PLAIN, Duration.ofSeconds(30)));
  }

  @Test
  void aWaiterOfTheSameSessionHasItToo() throws Exception {
    AdvisoryLocks locks = locks("a");
    Lease lease = take(locks.lock("local"));
    CompletableFuture<Lease> waiter = Waiter.of(locks.lock("local")).outcome();
    Thread.sleep(250);
    assertThat(waiter).isNotDone();
    lease.close();
    assertThat(waiter.get(1, TimeUnit.MINUTES).state()).isEqualTo(LeaseState.HELD);
  }

  @Test
  void anInterruptEndsTheWaitAndLeavesTheSessionToOthers() throws Exception {
    take(locks("a").lock("interrupted"));
    AdvisoryLocks waiting = locks("b");
    Lease other = take(waiting.lock("other"));
    Waiter<Lease> waiter = Waiter.of(waiting.lock("interrupted"));
    Thread.sleep(150);
    waiter.interrupt();
    waiter.assertInterrupted();
    assertThat(other.state()).isEqualTo(LeaseState.HELD);
    other.close();
  }

  @Test
  void aWaitDoesNotEndTheLeasesOfItsSession() throws Exception {
    take(locks("a").lock("long"));
    try (TcpProxy proxy = site.proxy()) {
      AdvisoryLocks waiting = locks(site.cut(proxy));
      Lease other = take(waiting.lock("beside"));
      assertThat(waiting.lock("long").tryAcquire(other.remaining().plusSeconds(1))).isEmpty();
      assertThat(other.state()).isEqualTo(LeaseState.HELD);
      other.close();
    }
  }

  @Test
  void theEndOfASessionIsReadWhenItComesAndEndsAllItsLeases() throws Exception {
    EndedSessions.measure(site.database, AdvisoryLocksIT::locks)
        .assertToldWhenItHappens("without TLS");
  }

  @Test
  void aWaiterThatIsCutOffDoesNotKeepTheLockThatItInherits() throws Exception {
    Lease lease = take(locks("a").lock("inherited"));
    try (TcpProxy proxy = site.proxy()) {
      AdvisoryLocks half = locks(site.cut(proxy));
      CompletableFuture<Lease> waiter = Waiter.of(half.lock("inherited")).outcome();
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
    try (LockSites.Detour late = LockSites.lateTimeout(site.database)) {
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
    try (LockSites.Detour failing = LockSites.failureBehindTheSecondGrant(site.database)) {
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
    site.execute("ALTER SEQUENCE recorder.lock_token RENAME TO lock_token_away");
    try {
      assertThatThrownBy(lease::token)
          .isInstanceOf(LockException.class)
          .isNotInstanceOf(LeaseLostException.class)
          .hasMessageContaining("the tables of locks are missing");
    } finally {
      site.execute("ALTER SEQUENCE recorder.lock_token_away RENAME TO lock_token");
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
    LockSites.terminate(site.database, "lost");
    Lease next = locks("b").lock("over").tryAcquire(A_MINUTE).orElseThrow();
    assertThat(next.token()).isPositive();
    assertThatThrownBy(lost::token).isInstanceOf(LeaseLostException.class);
  }

  @Test
  void whoIsToldOfALossMayAskForATokenWhileOthersDo() throws Exception {
    try (TcpProxy proxy = site.proxy()) {
      AdvisoryLocks locks = locks(site.cut(proxy));
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
      take(locks.lock("bare")).close();
    }
  }

  @Test
  void racesBetweenTheGrantAndItsTimeoutLeaveNoLock() throws Exception {
    Duration slice = Duration.ofMillis(1);
    // The first wait is one in the server, which ends with the slice.
    Duration wait = slice.multipliedBy(2);
    List<Callable<Integer>> racers = new ArrayList<>();
    int had;
    try (LockSites.Detour waits = LockSites.countedWaits(site.database)) {
      for (int racer = 0; racer < 2; racer++) {
        AdvisoryLocks locks =
            site.opened(new AdvisoryLocks(site.sessions("races"), Instruments.PLAIN, slice));
        racers.add(() -> race(locks.lock("race"), Leases.RACES / 2, wait));
      }
      had = Leases.atOnce(racers).stream().mapToInt(times -> times).sum();
      assertThat(waits.calls()).as("waits in the server").isGreaterThan(Leases.RACES / 10);
    }
    assertThat(had).isBetween(Leases.RACES / 100, Leases.RACES);
    assertThat(
            LockSites.number(
                site.database,
                "SELECT count(*) FROM pg_locks JOIN pg_stat_activity USING (pid)"
                    + " WHERE locktype = 'advisory' AND application_name LIKE '%/races/%'"))
        .isZero();
  }

  /** Holds it for about as long as the other waits in the server. */
  private static int race(DistributedLock lock, int times, Duration wait)
      throws InterruptedException {
    int had = 0;
    for (int i = 0; i < times; i++) {
      Optional<Lease> lease = lock.tryAcquire(wait);
      if (lease.isPresent()) {
        had++;
        Thread.sleep(i % 3 == 0 ? 1 : 0, i * 7_919 % 900_000);
        lease.get().close();
      }
    }
    return had;
  }

  @Test
  void manyWaitersOnASessionCostItsLeasesNothing() throws Exception {
    Lease wanted = take(locks("a").lock("crowd"));
    AdvisoryLocks crowded = locks("b");
    Lease other = take(crowded.lock("beside the crowd"));
    List<Waiter<Optional<Lease>>> waiters = new ArrayList<>();
    for (int i = 0; i < 32; i++) {
      waiters.add(
          new Waiter<>(
              () -> {
                Optional<Lease> had = crowded.lock("crowd").tryAcquire(A_MINUTE.multipliedBy(5));
                had.ifPresent(Lease::close);
                return had;
              }));
    }
    Duration left = other.remaining();
    await().until(() -> other.remaining().compareTo(left) > 0);
    wanted.close();
    for (Waiter<Optional<Lease>> waiter : waiters) {
      assertThat(waiter.outcome().get(5, TimeUnit.MINUTES)).isPresent();
    }
    other.close();
  }

  @Test
  void closingTheServiceEndsItsLeases() throws Exception {
    AdvisoryLocks locks = locks("closed");
    Lease lease = take(locks.lock("closed"));
    locks.close();
    assertThat(lossOf(lease).cause()).isEqualTo(Cause.SESSION_TERMINATED);
    assertThat(locks("b").lock("closed").tryAcquire(A_MINUTE)).isPresent();
    assertThatThrownBy(() -> locks.lock("closed").tryAcquire()).hasMessageContaining("are closed");
  }
}
