package dev.recorder.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.testing.TcpProxy;
import dev.recorder.testing.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a guard promises, on a real server. */
class LockGuardIT {
  private static final int LOCK = 7;

  private TestDatabase database;
  private RdsManager one;
  private RdsManager other;

  @BeforeEach
  void connectTwoMachines() throws Exception {
    database = TestDatabase.createOwned();
    one = new RdsManager(TestSessions.patient(database, "one"));
    other = new RdsManager(TestSessions.patient(database, "other"));
    one.connect();
    other.connect();
  }

  @AfterEach
  void disconnect() throws Exception {
    one.close();
    other.close();
    database.close();
  }

  @Test
  @Tag("smoke")
  void onlyOneMachineHoldsALock() {
    try (LockGuard guard = LockGuard.tryAcquire(one, LOCK).orElseThrow()) {
      assertThat(guard.isHeld()).isTrue();
      assertThat(LockGuard.tryAcquire(other, LOCK)).isEmpty();
    }
    assertThat(LockGuard.tryAcquire(other, LOCK)).isPresent();
  }

  @Test
  @Tag("smoke")
  void aLockIsNotStackedOnOneSession() {
    try (LockGuard guard = LockGuard.tryAcquire(one, LOCK).orElseThrow()) {
      assertThat(LockGuard.tryAcquire(one, LOCK)).isEmpty();
      assertThat(guard.isHeld()).isTrue();
    }
    assertThat(LockGuard.tryAcquire(other, LOCK)).isPresent();
  }

  @Test
  @Tag("smoke")
  void differentLocksDoNotMeet() {
    try (LockGuard seven = LockGuard.tryAcquire(one, LOCK).orElseThrow();
        LockGuard eight = LockGuard.tryAcquire(other, LOCK + 1).orElseThrow()) {
      assertThat(seven.isHeld()).isTrue();
      assertThat(eight.isHeld()).isTrue();
    }
  }

  @Test
  @Tag("smoke")
  void acquireWaitsUntilTheLockIsFree() throws Exception {
    LockGuard held = LockGuard.tryAcquire(one, LOCK).orElseThrow();
    Thread releasing = new Thread(held::close);
    releasing.start();
    try (LockGuard guard = LockGuard.acquire(other, LOCK, Duration.ofSeconds(60))) {
      assertThat(guard.isHeld()).isTrue();
    }
    releasing.join();
  }

  @Test
  @Tag("smoke")
  void acquireGivesUpAtItsLimitAndSaysWhatItWaitedFor() {
    try (LockGuard held = LockGuard.tryAcquire(one, LOCK).orElseThrow()) {
      assertThat(held.isHeld()).isTrue();
      assertThatThrownBy(() -> LockGuard.acquire(other, LOCK, Duration.ofMillis(60)))
          .isInstanceOf(DatabaseException.class)
          .hasMessageContaining("lock 7 was not free within 60 ms");
    }
  }

  @Test
  @Tag("smoke")
  void everyGuardIsToldAtOnceWhenItsSessionIsTerminated() throws Exception {
    LockGuard seven = LockGuard.tryAcquire(one, LOCK).orElseThrow();
    LockGuard eight = LockGuard.tryAcquire(one, LOCK + 1).orElseThrow();
    terminate(one.identity().pid());
    assertThatThrownBy(() -> one.call(connection -> connection.createStatement().execute("SELECT")))
        .isInstanceOf(DatabaseException.class);
    assertThat(seven.loss().toCompletableFuture().get(1, TimeUnit.MINUTES)).isNotBlank();
    assertThat(eight.isHeld()).isFalse();
    assertThat(LockGuard.acquire(other, LOCK, Duration.ofSeconds(60)).isHeld()).isTrue();
  }

  @Test
  @Tag("smoke")
  void closingALostGuardIsANoOp() throws Exception {
    LockGuard guard = LockGuard.tryAcquire(one, LOCK).orElseThrow();
    one.disconnect("told to");
    guard.close();
    assertThat(guard.isHeld()).isFalse();
  }

  @Test
  void aCutNetworkIsALossWithinTheNetworkTimeout() throws Exception {
    try (TcpProxy proxy = TcpProxy.to(database.server().port());
        RdsManager cut = new RdsManager(TestSessions.of(database, "cut", proxy.port()))) {
      cut.connect();
      LockGuard guard = LockGuard.tryAcquire(cut, LOCK).orElseThrow();
      proxy.pause();
      assertThatThrownBy(
              () -> cut.call(connection -> connection.createStatement().execute("SELECT")))
          .isInstanceOf(DatabaseException.class);
      assertThat(guard.isHeld()).isFalse();
    }
  }

  @Test
  @Tag("smoke")
  void locksLieInTheSchemasOwnNamespace() throws Exception {
    try (LockGuard guard = LockGuard.tryAcquire(one, LOCK).orElseThrow();
        Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT classid::bigint = ('x' || left(md5('recorder'), 8))::bit(32)::bigint"
                    + " & 4294967295, objid FROM pg_locks"
                    + " WHERE locktype = 'advisory' AND objsubid = 2 AND pid = "
                    + one.identity().pid())) {
      assertThat(guard.lockId()).isEqualTo(LOCK);
      assertThat(row.next()).isTrue();
      assertThat(row.getBoolean(1)).isTrue();
      assertThat(row.getInt(2)).isEqualTo(LOCK);
    }
  }

  private void terminate(int pid) throws Exception {
    database.execute("SELECT pg_terminate_backend(" + pid + ")");
  }
}
