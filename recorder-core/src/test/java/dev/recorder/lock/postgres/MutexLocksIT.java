package dev.recorder.lock.postgres;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.recorder.lock.DistributedLock;
import dev.recorder.lock.Instruments;
import dev.recorder.lock.Lease;
import dev.recorder.lock.LeaseLostException;
import dev.recorder.lock.LeaseState;
import dev.recorder.lock.LockException;
import dev.recorder.lock.LockException.Kind;
import dev.recorder.postgres.LockSites;
import dev.recorder.testing.TcpProxy;
import dev.recorder.testing.TestDatabase;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Locks that stay taken until their work has succeeded, on a real server. */
class MutexLocksIT {
  private static RowSite site;

  @BeforeAll
  static void create() throws Exception {
    site = RowSite.create();
  }

  @AfterAll
  static void drop() throws Exception {
    site.close();
  }

  @AfterEach
  void closeServices() throws Exception {
    site.closeServices();
  }

  private static MutexLocks locks(String worker) {
    return site.opened(new MutexLocks(site.sessions(worker), Instruments.PLAIN));
  }

  private static Lease take(DistributedLock lock) {
    return lock.tryAcquire().orElseThrow();
  }

  private static String row(String id, String columns) throws Exception {
    return String.valueOf(
        site.text("SELECT " + columns + " FROM recorder.lock_mutex WHERE id = '" + id + "'"));
  }

  @Test
  void aLockThatIsHeldIsNotGrantedToAnotherNorToTheSameService() {
    MutexLocks locks = locks("a");
    Lease lease = take(locks.lock("held"));
    assertThat(locks.lock("held").tryAcquire()).isEmpty();
    assertThat(locks("b").lock("held").tryAcquire()).isEmpty();
    lease.complete();
    lease.close();
    assertThat(lease.state()).isEqualTo(LeaseState.RELEASED);
    assertThat(locks("b").lock("held").tryAcquire()).isPresent();
  }

  @Test
  @Tag("smoke")
  void ofManyWhoCreateARowAtOnceExactlyOneGetsTheLock() throws Exception {
    for (int round = 0; round < 10; round++) {
      assertThat(grantedAtOnce("created" + round)).isEqualTo(1);
    }
  }

  @Test
  void ofManyWhoUpdateARowAtOnceExactlyOneGetsTheLock() throws Exception {
    for (int round = 0; round < 10; round++) {
      MutexLocks before = locks("before");
      Lease lease = take(before.lock("updated"));
      lease.complete();
      lease.close();
      assertThat(grantedAtOnce("updated")).isEqualTo(1);
      before.release("updated");
    }
  }

  private static long grantedAtOnce(String id) throws Exception {
    List<Callable<Optional<Lease>>> all = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      MutexLocks locks = locks("racer" + i);
      locks.lock("warm" + i).tryAcquire();
      all.add(() -> locks.lock(id).tryAcquire());
    }
    return RowSite.atOnce(all).stream().filter(Optional::isPresent).count();
  }

  @Test
  void workersThatAddUnderTheLockLoseNothing() throws Exception {
    site.execute(
        "CREATE TABLE IF NOT EXISTS recorder.counted (n int); GRANT ALL ON recorder.counted TO recorder");
    site.execute("INSERT INTO recorder.counted VALUES (0)");
    List<Callable<Integer>> all = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      MutexLocks locks = locks("adder" + i);
      all.add(
          () -> {
            try (Connection connection = site.database.connect();
                Statement statement = connection.createStatement()) {
              for (int n = 0; n < 10; n++) {
                Lease lease = locks.lock("adding").acquire();
                int before = read(statement);
                Thread.sleep(2);
                statement.execute("UPDATE recorder.counted SET n = " + (before + 1));
                lease.complete();
                lease.close();
              }
              return 10;
            }
          });
    }
    RowSite.atOnce(all);
    assertThat(site.text("SELECT n FROM recorder.counted")).isEqualTo("40");
  }

  private static int read(Statement statement) throws Exception {
    try (var row = statement.executeQuery("SELECT n FROM recorder.counted")) {
      row.next();
      return row.getInt(1);
    }
  }

  @Test
  void aFailureLeavesTheLockTaken() throws Exception {
    take(locks("a").lock("failed")).close();
    assertThat(locks("b").lock("failed").tryAcquire()).isEmpty();
    assertThat(row("failed", "acquired")).isEqualTo("t");
  }

  @Test
  void anOwnerWhoseSessionIsKilledLeavesTheLockTakenAndStillReleasesIt() throws Exception {
    Lease lease = take(locks("killed").lock("killed"));
    LockSites.terminate(site.database, "killed");
    assertThat(locks("b").lock("killed").tryAcquire()).isEmpty();
    lease.complete();
    lease.close();
    assertThat(locks("b").lock("killed").tryAcquire()).isPresent();
  }

  @Test
  @Tag("smoke")
  void anOperatorReleasesALockWhoeverHasIt() {
    Lease lease = take(locks("a").lock("forced"));
    MutexLocks operator = locks("operator");
    assertThat(operator.release("forced")).isTrue();
    assertThat(operator.release("forced")).isFalse();
    assertThat(operator.release("never seen")).isFalse();
    lease.complete();
    assertThatThrownBy(lease::close)
        .isInstanceOf(LeaseLostException.class)
        .hasMessageContaining("revoked");
  }

  @Test
  void whoHasLostTheLockToForceCannotReleaseItForTheNextOwner() throws Exception {
    MutexLocks first = locks("a");
    Lease old = take(first.lock("overtaken"));
    first.release("overtaken");
    take(locks("b").lock("overtaken"));
    old.complete();
    assertThatThrownBy(old::close)
        .isInstanceOf(LeaseLostException.class)
        .hasMessageContaining("taken over");
    assertThat(row("overtaken", "acquired")).isEqualTo("t");
  }

  @Test
  void retriesAreCountedDownAndAtZeroNobodyGetsTheLock() throws Exception {
    MutexLocks locks = locks("a");
    DistributedLock twice = locks.lock("twice", RowOptions.DEFAULT.withRetries(2));
    for (int left = 1; left >= 0; left--) {
      Lease lease = take(twice);
      assertThat(row("twice", "retries_left")).isEqualTo(Integer.toString(left));
      lease.complete();
      lease.close();
    }
    assertThat(twice.tryAcquire()).isEmpty();
    assertThat(locks.lock("twice", RowOptions.DEFAULT).tryAcquire()).isEmpty();
    assertThat(locks.lock("never", RowOptions.DEFAULT.withRetries(0)).tryAcquire()).isEmpty();
    assertThat(row("never", "id")).isEqualTo("null");
  }

  @Test
  void attemptsInVainUseUpNoRetriesAndNoTokens() throws Exception {
    MutexLocks locks = locks("a");
    take(locks.lock("vain", RowOptions.DEFAULT.withRetries(5)));
    String before = site.text("SELECT last_value FROM recorder.lock_token");
    for (int i = 0; i < 5; i++) {
      assertThat(locks.lock("vain").tryAcquire()).isEmpty();
    }
    assertThat(site.text("SELECT last_value FROM recorder.lock_token")).isEqualTo(before);
    assertThat(row("vain", "retries_left")).isEqualTo("4");
  }

  @Test
  void theSameIdInTwoQueuesIsTwoLocks() {
    MutexLocks locks = locks("a");
    take(locks.lock("same"));
    DistributedLock other = locks.lock("same", RowOptions.DEFAULT.inQueue("other"));
    take(other);
    assertThat(other.name()).isEqualTo("other/same");
    assertThat(locks.release("other", "same")).isTrue();
    assertThat(locks.lock("same").tryAcquire()).isEmpty();
  }

  @Test
  void tokensRiseWithEachGrant() {
    List<Long> tokens = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      Lease lease = take(locks("worker" + i % 2).lock("tokens"));
      tokens.add(lease.token());
      lease.complete();
      lease.close();
    }
    assertThat(tokens).isSorted().doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @ValueSource(strings = {"it's", "a\"b\\c", "{x,y}", "päivää 日本 🙂", " ", "%_", "$1 ?", "a\nb"})
  void anyTextIsAnId(String id) {
    Lease lease = take(locks("a").lock(id, RowOptions.DEFAULT.inQueue(id)));
    assertThat(locks("b").lock(id, RowOptions.DEFAULT.inQueue(id)).tryAcquire()).isEmpty();
    assertThat(locks("b").lock(id + "x", RowOptions.DEFAULT.inQueue(id)).tryAcquire()).isPresent();
    lease.complete();
    lease.close();
  }

  @Test
  void anIdOfTheLongestKindCanBeHadAndWhatCannotIsRefusedClearly() {
    MutexLocks locks = locks("a");
    take(locks.lock("ä".repeat(100)));
    assertRefused(() -> locks.lock("ä".repeat(100) + "x"), "201 bytes, where 200");
    assertRefused(() -> locks.lock(""), "is empty");
    assertRefused(() -> locks.lock("a\0b"), "PostgreSQL cannot hold");
    assertRefused(() -> locks.lock("a\ud83d"), "PostgreSQL cannot hold");
    assertRefused(() -> locks.lock("a", RowOptions.DEFAULT.inQueue("")), "its queue is empty");
  }

  private static void assertRefused(Runnable call, String why) {
    assertThatThrownBy(call::run)
        .isInstanceOf(LockException.class)
        .hasMessageContaining(why)
        .extracting(e -> ((LockException) e).kind())
        .isEqualTo(Kind.UNUSABLE);
  }

  @Test
  void aWaiterGetsTheLockSoonAfterItsRelease() throws Exception {
    Lease lease = take(locks("a").lock("awaited"));
    MutexLocks waiting = locks("b");
    CompletableFuture<Lease> waiter =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return waiting.lock("awaited").acquire();
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              }
            });
    Thread.sleep(300);
    assertThat(waiter).isNotDone();
    lease.complete();
    lease.close();
    assertThat(waiter.get(1, TimeUnit.MINUTES).token()).isGreaterThan(lease.token());
  }

  @Test
  void aLeaseNeverRunsOut() {
    Lease lease = take(locks("a").lock("for ever"));
    assertThat(lease.remaining()).isGreaterThan(Duration.ofDays(36_000));
    lease.ensure(Duration.ofDays(365));
  }

  @Test
  void aLockWhoseGrantWasLostOnItsWayIsGivenBackWithItsRetry() throws Exception {
    MutexLocks before = locks("before");
    DistributedLock unheard = before.lock("unheard", RowOptions.DEFAULT.withRetries(9));
    Lease first = take(unheard);
    first.complete();
    first.close();
    try (TcpProxy proxy = TcpProxy.to(site.database.server().port())) {
      MutexLocks cut =
          site.opened(new MutexLocks(site.sessions("cut", proxy.port()), Instruments.PLAIN));
      take(cut.lock("something else"));
      proxy.pauseToClient();
      LockException failure =
          catchThrowableOfType(LockException.class, () -> cut.lock("unheard").tryAcquire());
      assertThat(failure.kind()).isEqualTo(Kind.UNREACHABLE);
      assertThat(row("unheard", "acquired || ' ' || retries_left")).isEqualTo("true 7");
      assertThat(locks("b").lock("unheard").tryAcquire()).as("silently taken").isEmpty();
      proxy.resume();
      cut.lock("yet another").tryAcquire();
      assertThat(row("unheard", "acquired || ' ' || retries_left")).isEqualTo("false 8");
    }
  }

  @Test
  void aLockWhoseGrantWasLostIsGivenBackWhenTheServiceIsClosed() throws Exception {
    locks("before").lock("left").tryAcquire();
    locks("before").release("left");
    try (TcpProxy proxy = TcpProxy.to(site.database.server().port())) {
      MutexLocks cut = new MutexLocks(site.sessions("cut", proxy.port()), Instruments.PLAIN);
      take(cut.lock("something"));
      proxy.pauseToClient();
      assertThatThrownBy(() -> cut.lock("left").tryAcquire()).isInstanceOf(LockException.class);
      assertThat(row("left", "acquired")).isEqualTo("t");
      proxy.resume();
      cut.close();
      assertThat(row("left", "acquired")).isEqualTo("f");
      assertThatThrownBy(() -> cut.lock("left").tryAcquire()).hasMessageContaining("was closed");
    }
  }

  @Test
  void aReleaseWhoseAnswerWasLostIsDoneLater() throws Exception {
    try (TcpProxy proxy = TcpProxy.to(site.database.server().port())) {
      MutexLocks cut =
          site.opened(new MutexLocks(site.sessions("cut", proxy.port()), Instruments.PLAIN));
      Lease lease = take(cut.lock("late"));
      lease.complete();
      proxy.cut();
      assertThatThrownBy(lease::close).isInstanceOf(LockException.class);
      assertThat(row("late", "acquired")).isEqualTo("t");
      proxy.heal();
      cut.lock("whatever").tryAcquire();
      assertThat(row("late", "acquired")).isEqualTo("f");
    }
  }

  @Test
  void aReleaseWhoseAnswerWasLostIsNoLossAlthoughSomebodyElseHasTheLockByThen() throws Exception {
    try (TcpProxy proxy = TcpProxy.to(site.database.server().port())) {
      CompletableFuture<Void> closing = closingUnheard(proxy, take(cut(proxy).lock("passed on")));
      await().until(() -> row("passed on", "acquired").equals("f"));
      take(locks("b").lock("passed on"));

      awaitMore(proxy, proxy.bytesToTarget()); // On a connection of its own: it has given up.
      proxy.resume();

      closing.get(1, TimeUnit.MINUTES);
      assertThat(row("passed on", "acquired")).isEqualTo("t");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aReleaseWhoseAnswerWasLostIsALossIfTheLockHadBeenTakenByForce(boolean atTheDesk)
      throws Exception {
    try (TcpProxy proxy = TcpProxy.to(site.database.server().port());
        LockDesk desk = LockDesk.open(site.sessions("desk"))) {
      Lease lease = take(cut(proxy).lock("forced on"));
      assertThat(
              atTheDesk
                  ? desk.release(desk.mutex("default", "forced on").orElseThrow())
                  : locks("operator").release("forced on"))
          .isTrue();
      take(locks("b").lock("forced on"));
      CompletableFuture<Void> closing = closingUnheard(proxy, lease);

      awaitMore(proxy, proxy.bytesToTarget()); // On a connection of its own: it has given up.
      proxy.resume();

      assertThatThrownBy(() -> closing.get(1, TimeUnit.MINUTES))
          .cause()
          .isInstanceOf(LeaseLostException.class)
          .hasMessageContaining("taken over");
      desk.release(desk.mutex("default", "forced on").orElseThrow());
    }
  }

  private static MutexLocks cut(TcpProxy proxy) {
    return site.opened(new MutexLocks(site.sessions("cut", proxy.port()), Instruments.PLAIN));
  }

  /** The server is asked, and does what it is asked, but its answer does not come. */
  private static CompletableFuture<Void> closingUnheard(TcpProxy proxy, Lease lease) {
    long asked = proxy.bytesToTarget();
    proxy.pauseToClient();
    lease.complete();
    CompletableFuture<Void> closing = CompletableFuture.runAsync(lease::close);
    awaitMore(proxy, asked);
    return closing;
  }

  private static void awaitMore(TcpProxy proxy, long asked) {
    await().pollInterval(Duration.ofMillis(10)).until(() -> proxy.bytesToTarget() > asked);
  }

  @Test
  void aRowThatSomebodyLocksKeepsNobodyFromOtherRowsForLong() throws Exception {
    try (TcpProxy proxy = TcpProxy.to(site.database.server().port());
        Connection other = site.database.connect();
        Statement statement = other.createStatement()) {
      MutexLocks locks = cut(proxy);
      Lease lease = take(locks.lock("locked"));
      lease.complete();
      lease.close();
      other.setAutoCommit(false);
      statement.execute("UPDATE recorder.lock_mutex SET id = id WHERE id = 'locked'");
      LockException failure =
          catchThrowableOfType(LockException.class, () -> locks.lock("locked").tryAcquire());
      assertThat(failure.kind()).isEqualTo(Kind.UNREACHABLE);
      assertThat(locks.lock("beside").tryAcquire()).isPresent();
      other.rollback();
      assertThat(locks.lock("locked").tryAcquire()).isPresent();
    }
  }

  @Test
  void missingTablesAndRightsAreNamed() throws Exception {
    try (TestDatabase empty = TestDatabase.createOwned();
        MutexLocks locks =
            new MutexLocks(
                LockSites.sessions(empty, "a", empty.server().port()), Instruments.PLAIN)) {
      assertThatThrownBy(() -> locks.lock("x").tryAcquire())
          .isInstanceOf(LockException.class)
          .hasMessageContaining("recorder schema");
      LockSites.create(empty);
      empty.execute("ALTER TABLE recorder.lock_mutex OWNER TO postgres");
      LockException refused =
          catchThrowableOfType(LockException.class, () -> locks.lock("x").tryAcquire());
      assertThat(refused.kind()).isEqualTo(Kind.RIGHTS);
      assertThat(refused).hasMessageContaining("lock_mutex");
    }
  }

  @Test
  void aThreadThatIsInterruptedStillReleases() throws Exception {
    Lease lease = take(locks("a").lock("interrupted"));
    lease.complete();
    Thread.currentThread().interrupt();
    lease.close();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(row("interrupted", "acquired")).isEqualTo("f");
  }
}
