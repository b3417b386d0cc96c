package dev.recorder.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.testing.Patience;
import dev.recorder.testing.network.TcpProxy;
import dev.recorder.testing.servers.TestDatabase;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

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

  /** By its time limit, or by somebody, before the server has done it. */
  @Test
  void aLockIsFreeForOthersAlsoIfItsReleaseWasCancelled() throws Exception {
    try (RdsManager cancelled = new RdsManager(cancelling("pg_advisory_unlock(", false))) {
      cancelled.connect();
      LockGuard guard = LockGuard.tryAcquire(cancelled, LOCK).orElseThrow();
      LockGuard another = LockGuard.tryAcquire(cancelled, LOCK + 1).orElseThrow();

      assertThatThrownBy(guard::close).isInstanceOf(DatabaseException.class);
      assertThat(cancelled.isConnected()).isFalse();
      assertThat(another.isHeld()).isFalse();
      assertThat(LockGuard.acquire(other, LOCK, Patience.A_MINUTE).isHeld()).isTrue();
    }
  }

  /** After the server has done it. */
  @Test
  void soItIsIfTheAttemptToTakeItWasCancelled() throws Exception {
    try (RdsManager cancelled = new RdsManager(cancelling("pg_try_advisory_lock(", true))) {
      cancelled.connect();
      assertThatThrownBy(() -> LockGuard.tryAcquire(cancelled, LOCK))
          .isInstanceOf(DatabaseException.class);
      assertThat(cancelled.isConnected()).isFalse();
      LockGuard.acquire(other, LOCK, Patience.A_MINUTE).close();

      cancelled.connect();
      assertThatThrownBy(() -> LockGuard.tryAcquireAll(cancelled, Set.of(LOCK)))
          .isInstanceOf(DatabaseException.class);
      assertThat(cancelled.isConnected()).isFalse();
      LockGuard.acquire(other, LOCK, Patience.A_MINUTE).close();
    }
  }

  /**
   * Sessions on which each statement with this text is cancelled, after the server has done it or
   * before.
   */
  private Sessions cancelling(String text, boolean done) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(database.jdbcUrl());
    source.setUser(TestDatabase.ROLE);
    source.setPassword(TestDatabase.PASSWORD);
    return Sessions.of(
        changed(
            DataSource.class,
            (method, arguments) -> cancelling(source.getConnection(), text, done)),
        "cancelled");
  }

  private static Connection cancelling(Connection given, String text, boolean done) {
    return changed(
        Connection.class,
        (method, arguments) -> {
          Object result = invoke(method, given, arguments);
          return result instanceof PreparedStatement statement
                  && String.valueOf(arguments[0]).contains(text)
              ? cancelling(statement, done)
              : result;
        });
  }

  private static PreparedStatement cancelling(PreparedStatement given, boolean done) {
    return changed(
        PreparedStatement.class,
        (method, arguments) -> {
          boolean runs = method.getName().startsWith("execute");
          Object result = runs && !done ? null : invoke(method, given, arguments);
          if (runs) {
            throw new SQLException("canceling statement due to statement timeout", "57014");
          }
          return result;
        });
  }

  private interface Call {
    Object of(Method method, Object[] arguments) throws Throwable;
  }

  private static Object invoke(Method method, Object given, Object[] arguments) throws Throwable {
    try {
      return method.invoke(given, arguments);
    } catch (InvocationTargetException failed) {
      throw failed.getCause();
    }
  }

  private static <T> T changed(Class<T> type, Call call) {
    return type.cast(
        Proxy.newProxyInstance(
            LockGuardIT.class.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> call.of(method, arguments)));
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
