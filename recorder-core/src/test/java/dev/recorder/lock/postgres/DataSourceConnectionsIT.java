package dev.recorder.lock.postgres;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.recorder.lock.Instruments;
import dev.recorder.lock.Lease;
import dev.recorder.lock.LeaseState;
import dev.recorder.lock.LockException;
import dev.recorder.lock.postgres.tasks.TaskLocks;
import dev.recorder.postgres.LockSites;
import dev.recorder.postgres.Sessions;
import dev.recorder.testing.servers.PostgresServer;
import dev.recorder.testing.servers.TestDatabase;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** Locks on connections of an application's own pool. */
class DataSourceConnectionsIT {
  private TestDatabase database;
  private HikariDataSource pool;

  @BeforeEach
  void makeAPool() throws Exception {
    database = TestDatabase.createOn(PostgresServer.shared(), TestDatabase.ROLE);
    HikariConfig config = new HikariConfig();
    config.setDataSource(plain());
    config.setMaximumPoolSize(2);
    pool = new HikariDataSource(config);
  }

  @AfterEach
  void close() throws SQLException {
    pool.close();
    database.close();
  }

  private DataSource plain() {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setServerNames(new String[] {"127.0.0.1"});
    source.setPortNumbers(new int[] {PostgresServer.shared().port()});
    source.setDatabaseName(database.name());
    source.setUser(TestDatabase.ROLE);
    source.setPassword(TestDatabase.PASSWORD);
    return source;
  }

  @Test
  void aLockOfADataSourceExcludesOthersAndIsFreeAgain() {
    try (AdvisoryLocks locks = AdvisoryLocks.on(pool);
        AdvisoryLocks others = AdvisoryLocks.on(plain())) {
      try (Lease lease = locks.lock("report").tryAcquire().orElseThrow()) {
        assertThat(others.lock("report").tryAcquire()).isEmpty();
        assertThat(lease.remaining()).isPositive();
      }
      assertThat(others.lock("report").tryAcquire()).isPresent();
    }
  }

  @Test
  void aPoolGetsNoConnectionBackWithSettingsOrLocksOfOurs() throws Exception {
    List<String> before = settings();
    for (int i = 0; i < 5; i++) {
      try (AdvisoryLocks locks = AdvisoryLocks.on(pool)) {
        assertThat(locks.lock("report").tryAcquire()).isPresent();
      }
      assertThat(settings()).isEqualTo(before);
      assertThat(settings()).isEqualTo(before);
    }
    assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
  }

  /** Of both connections. */
  private List<String> settings() throws SQLException {
    List<String> found = new ArrayList<>();
    try (Connection one = pool.getConnection();
        Connection two = pool.getConnection()) {
      for (Connection connection : List.of(one, two)) {
        try (Statement statement = connection.createStatement();
            ResultSet row =
                statement.executeQuery(
                    "SELECT concat_ws(' ', current_setting('search_path'), current_setting('jit'),"
                        + " current_setting('idle_session_timeout'),"
                        + " current_setting('application_name'), (SELECT count(*) FROM pg_locks"
                        + " WHERE locktype = 'advisory' AND pid = pg_backend_pid()))")) {
          row.next();
          found.add(row.getString(1));
        }
      }
    }
    return found;
  }

  @Test
  void aLossIsSignalledHereToo() throws Exception {
    try (AdvisoryLocks locks = AdvisoryLocks.on(pool)) {
      Lease lease = locks.lock("report").tryAcquire().orElseThrow();

      LockSites.terminate(database, "locks");

      await().until(() -> lease.state() == LeaseState.LOST);
      assertThat(locks.lock("report").tryAcquire()).as("on another connection").isPresent();
    }
  }

  @Test
  void locksThatAreRowsWorkOnADataSourceToo() throws Exception {
    LockSites.create(database);
    Sessions sessions = Sessions.of(pool, "host-a");
    try (MutexLocks mutexes = new MutexLocks(sessions, Instruments.PLAIN);
        TaskLocks tasks = new TaskLocks(sessions, Duration.ofMinutes(1), Instruments.PLAIN)) {
      Lease lease = mutexes.lock("month-end").tryAcquire().orElseThrow();
      assertThat(mutexes.lock("month-end").tryAcquire()).isEmpty();
      lease.complete();
      lease.close();
      assertThat(mutexes.lock("month-end").tryAcquire()).isPresent();
      assertThat(tasks.lock("one").tryAcquire()).isPresent();
      assertThat(tasks.lock("one").tryAcquire()).isEmpty();
    }
  }

  @Test
  void aSourceOfOtherConnectionsIsRefused() {
    try (AdvisoryLocks locks = AdvisoryLocks.on(source(other(Connection.class, "close")))) {
      assertThatThrownBy(() -> locks.lock("report").tryAcquire())
          .isInstanceOf(LockException.class)
          .hasMessageContaining(
              "the given data source does not give connections of PostgreSQL's driver");
    }
  }

  private static DataSource source(Object connection) {
    return (DataSource)
        Proxy.newProxyInstance(
            DataSourceConnectionsIT.class.getClassLoader(),
            new Class<?>[] {DataSource.class},
            (proxy, method, arguments) -> connection);
  }

  /** Of another driver: it wraps nothing of PostgreSQL's. */
  private static Object other(Class<?> type, String silent) {
    return Proxy.newProxyInstance(
        DataSourceConnectionsIT.class.getClassLoader(),
        new Class<?>[] {type},
        (proxy, method, arguments) -> method.getName().equals(silent) ? null : (Object) false);
  }
}
