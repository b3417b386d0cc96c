package dev.recorder.lock.postgres;

import static dev.recorder.lock.Leases.assertFails;
import static dev.recorder.lock.Leases.finish;
import static dev.recorder.lock.Leases.take;
import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.lock.Instruments;
import dev.recorder.lock.Lease;
import dev.recorder.lock.LeaseLostException;
import dev.recorder.lock.LockException;
import dev.recorder.lock.LockException.Kind;
import dev.recorder.postgres.LockSites;
import dev.recorder.postgres.Sessions;
import dev.recorder.testing.network.TcpProxy;
import dev.recorder.testing.servers.TestDatabase;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Locks that stay taken until their work has succeeded, on a real server. */
class MutexLocksIT extends RowLocksContract {
  MutexLocksIT() {
    super("lock_mutex", "acquired");
  }

  @Override
  protected Locks open(Sessions sessions, Instruments instruments) {
    return site.opened(new MutexLocks(sessions, instruments))::lock;
  }

  @Override
  protected void free(String id) {
    locks("operator").release(id);
  }

  private static MutexLocks locks(String worker) {
    return site.opened(new MutexLocks(site.sessions(worker), Instruments.PLAIN));
  }

  private static MutexLocks cut(TcpProxy proxy) {
    return site.opened(new MutexLocks(site.cut(proxy), RowSite.TRUSTING));
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
    finish(lease);
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
  void anOperatorReleasesTheLockOfOneQueue() {
    MutexLocks locks = locks("a");
    take(locks.lock("queued"));
    take(locks.lock("queued", RowOptions.DEFAULT.inQueue("other")));
    assertThat(locks.release("other", "queued")).isTrue();
    assertThat(locks.lock("queued").tryAcquire()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"it's", "a\"b\\c", "{x,y}", "päivää 日本 🙂", " ", "%_", "$1 ?", "a\nb"})
  void anyTextIsAnId(String id) {
    Lease lease = take(locks("a").lock(id, RowOptions.DEFAULT.inQueue(id)));
    assertThat(locks("b").lock(id, RowOptions.DEFAULT.inQueue(id)).tryAcquire()).isEmpty();
    assertThat(locks("b").lock(id + "x", RowOptions.DEFAULT.inQueue(id)).tryAcquire()).isPresent();
    finish(lease);
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

  private static void assertRefused(ThrowingCallable call, String why) {
    assertFails(Kind.UNUSABLE, call).hasMessageContaining(why);
  }

  @Test
  void aLeaseNeverRunsOut() {
    Lease lease = take(locks("a").lock("for ever"));
    assertThat(lease.remaining()).isGreaterThan(Duration.ofDays(36_000));
    lease.ensure(Duration.ofDays(365));
  }

  @Test
  void aLockWhoseGrantWasLostIsGivenBackWhenTheServiceIsClosed() throws Exception {
    locks("before").lock("left").tryAcquire();
    locks("before").release("left");
    try (TcpProxy proxy = site.proxy()) {
      MutexLocks cut = new MutexLocks(site.cut(proxy), RowSite.TRUSTING);
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
    try (TcpProxy proxy = site.proxy()) {
      MutexLocks cut = cut(proxy);
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
    try (TcpProxy proxy = site.proxy()) {
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
    try (TcpProxy proxy = site.proxy();
        LockAdmin admin = LockAdmin.open(site.sessions("desk"))) {
      Lease lease = take(cut(proxy).lock("forced on"));
      assertThat(
              atTheDesk
                  ? admin.release(admin.mutex("default", "forced on").orElseThrow())
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
      admin.release(admin.mutex("default", "forced on").orElseThrow());
    }
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
    try (TcpProxy proxy = site.proxy();
        Connection other = site.database.connect();
        Statement statement = other.createStatement()) {
      MutexLocks locks = cut(proxy);
      Lease lease = take(locks.lock("locked"));
      finish(lease);
      other.setAutoCommit(false);
      statement.execute("UPDATE recorder.lock_mutex SET id = id WHERE id = 'locked'");
      assertFails(Kind.UNREACHABLE, () -> locks.lock("locked").tryAcquire());
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
      assertFails(Kind.RIGHTS, () -> locks.lock("x").tryAcquire())
          .hasMessageContaining("lock_mutex");
    }
  }
}
