package dev.recorder.postgres.holders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.LockGuard;
import dev.recorder.postgres.RdsManager;
import dev.recorder.postgres.Sessions;
import dev.recorder.postgres.TestSessions;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.schema.Setup;
import dev.recorder.testing.servers.TestDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who holds the locks of recorders, and whether they are recorders. */
class LockHoldersIT {
  private static final SchemaNames NAMES = SchemaNames.DEFAULT;
  private static final String STRANGER = "lock_stranger";

  private TestDatabase database;
  private Sessions sessions;
  private Connection looking;

  @BeforeEach
  void open() throws SQLException {
    database = TestDatabase.createOwned();
    database.server().createRole(STRANGER, TestDatabase.PASSWORD);
    sessions = TestSessions.patient(database, "host-a");
    looking = sessions.openForQueries();
  }

  @AfterEach
  void close() throws SQLException {
    looking.close();
    database.close();
  }

  @Test
  void aSessionOfAnotherRoleIsAStrangerWhateverItCallsItself() throws SQLException {
    try (Connection stranger = connect(STRANGER, "recorder/host-b/control")) {
      int pid = take(stranger, "pg_advisory_lock", 7);

      LockHolder holder = LockHolders.of(looking, key(7)).orElseThrow();

      assertThat(LockHolders.foreignHolders(looking, List.of(key(6), key(7))))
          .containsExactly(holder);
      assertThat(holder)
          .hasToString(
              "database session "
                  + pid
                  + " of role lock_stranger, application 'recorder/host-b/control'");
      assertThat(holder.remedy()).startsWith("end it (SELECT pg_terminate_backend(" + pid + ")");
    }
  }

  @Test
  void aSessionOfThisRoleThatIsNoRecorderIsAStrangerSeenInFull() throws SQLException {
    try (Connection stranger = connect(TestDatabase.ROLE, "psql")) {
      take(stranger, "pg_advisory_lock", 999);

      assertThat(LockHolders.foreignHolders(looking, List.of(key(999))).toString())
          .containsPattern(
              "of role recorder, application 'psql' from 127.0.0.1/32, since \\d{4}-\\d\\d-\\d\\d");
    }
  }

  @Test
  void aRecordersSessionIsNoStranger() throws SQLException {
    try (Connection control = sessions.openControl()) {
      take(control, "pg_advisory_lock", 7);

      assertThat(LockHolders.foreignHolders(looking, List.of(key(7)))).isEmpty();
      assertThat(LockHolders.of(looking, key(7)).orElseThrow())
          .asString()
          .startsWith("recorder/host-a/control from 127.0.0.1/32 (database session ");
    }
  }

  @Test
  void aPreparedTransactionIsNamedAndHowToEndIt() throws SQLException {
    try (Connection stranger = connect(STRANGER, "batch");
        Statement statement = stranger.createStatement()) {
      statement.execute("BEGIN");
      take(stranger, "pg_advisory_xact_lock", 7);
      statement.execute("PREPARE TRANSACTION 'nightly'");
      try {
        LockHolder holder = LockHolders.of(looking, key(7)).orElseThrow();
        assertThat(holder)
            .asString()
            .startsWith("prepared transaction 'nightly' of role lock_stranger, since 2");
        assertThat(holder.remedy()).contains("ROLLBACK PREPARED", "'nightly'");
      } finally {
        statement.execute("ROLLBACK PREPARED 'nightly'");
      }
    }
  }

  @Test
  void locksOfOtherDatabasesAndNamespacesAreNotOurs() throws SQLException {
    try (TestDatabase other = TestDatabase.createOwned();
        Connection elsewhere = other.connect();
        Connection here = connect(STRANGER, "psql");
        Statement statement = here.createStatement()) {
      take(elsewhere, "pg_advisory_lock", 7);
      statement.execute("SELECT pg_advisory_lock(1, 7), pg_advisory_lock(7)");

      assertThat(LockHolders.of(looking, key(7))).isEqualTo(Optional.empty());
    }
  }

  @Test
  void aStartTellsAtOnceWhoIsInItsWay() throws SQLException {
    try (Connection stranger = connect(STRANGER, "psql");
        RdsManager manager = new RdsManager(sessions)) {
      int pid = take(stranger, "pg_advisory_lock", Setup.LOCK_ID);
      manager.connect();

      assertThatThrownBy(() -> new Setup(manager).run(List.of()))
          .isInstanceOfSatisfying(
              DatabaseException.class,
              e -> assertThat(e.kind()).isEqualTo(DatabaseException.DatabaseErrorKind.BUSY))
          .hasMessageContaining("lock 999 is held by a foreign session: database session")
          .hasMessageContaining(pid + " of role lock_stranger, application 'psql'")
          .hasMessageContaining("pg_terminate_backend(" + pid + ")");
    }
  }

  @Test
  void whoWaitedForARecorderIsToldWhichOneHadTheLock() {
    try (RdsManager one = new RdsManager(sessions);
        RdsManager other = new RdsManager(TestSessions.patient(database, "host-b"))) {
      one.connect();
      other.connect();
      try (LockGuard held = LockGuard.tryAcquire(one, 7).orElseThrow()) {
        assertThat(held.isHeld()).isTrue();
        assertThatThrownBy(() -> LockGuard.acquire(other, 7, Duration.ofMillis(60)))
            .hasMessageContaining("lock 7 was not free within 60 ms: it is held by")
            .hasMessageContaining("recorder/host-a/control");
      }
    }
  }

  private static AdvisoryLockKey key(int lockId) {
    return AdvisoryLockKey.ofLockId(NAMES, lockId);
  }

  /**
   * Of captures and of snapshots, whose keys the server hashes; of those who wait, who share it.
   */
  @Test
  void whoeverHoldsAnyOtherKeyOfOursIsFoundToo() throws SQLException {
    List<AdvisoryLockKey> keys =
        List.of(
            key(6),
            RecorderLockKeys.ofCaptures("orders"),
            AdvisoryLockKey.ofHash("entity e1", "e1", NAMES.entityLockSeed(3)),
            AdvisoryLockKey.ofWaiters(NAMES, "orders", 7));
    try (Connection stranger = connect(STRANGER, "batch");
        Connection waiting = connect(STRANGER, "shop");
        Statement statement = stranger.createStatement();
        Statement shared = waiting.createStatement()) {
      shared.execute("SELECT pg_advisory_lock_shared(" + NAMES.waitersNamespace() + ", 7)");
      assertThat(LockHolders.foreignHolders(looking, keys)).isEmpty();
      shared.execute("SELECT pg_advisory_unlock_shared(" + NAMES.waitersNamespace() + ", 7)");

      statement.execute(
          "SELECT pg_advisory_lock(hashtextextended('captures of orders', 0)),"
              + " pg_advisory_lock(hashtextextended('e1', "
              + NAMES.entityLockSeed(3)
              + ")), pg_advisory_lock("
              + NAMES.waitersNamespace()
              + ", 7)");

      assertThat(LockHolders.foreignHolders(looking, keys))
          .extracting(LockHolder::what)
          .containsExactly(
              "the key of the captures of orders",
              "entity e1",
              "the key by which those are known who wait for slots of orders");
      assertThat(LockHolders.of(looking, keys.get(1)).orElseThrow().toString())
          .contains("of role lock_stranger, application 'batch'");
    }
  }

  private Connection connect(String role, String application) throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("user", role);
    properties.setProperty("password", TestDatabase.PASSWORD);
    properties.setProperty("ApplicationName", application);
    return DriverManager.getConnection(database.jdbcUrl(), properties);
  }

  private static int take(Connection connection, String how, int lockId) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SELECT " + how + "(" + NAMES.lockNamespace() + ", " + lockId + ")");
      try (var row = statement.executeQuery("SELECT pg_backend_pid()")) {
        row.next();
        return row.getInt(1);
      }
    }
  }
}
