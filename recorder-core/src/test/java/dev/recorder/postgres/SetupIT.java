package dev.recorder.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.handoff.RecorderName;
import dev.recorder.slotlog.Compression;
import dev.recorder.slotlog.LogLayout;
import dev.recorder.testing.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a machine finds, makes and refuses at start-up, on a real server. */
class SetupIT {
  private static final RecorderName ORDERS = new RecorderName("orders");

  private TestDatabase database;

  @BeforeEach
  void createDatabase() throws Exception {
    database = TestDatabase.createOwned();
  }

  @AfterEach
  void dropDatabase() throws Exception {
    database.close();
  }

  @Test
  void twoMachinesThatStartAtOnceOnAnEmptyDatabaseBothSucceed() throws Exception {
    CompletableFuture<List<Setup.Row>> one = CompletableFuture.supplyAsync(() -> setUp("one"));
    CompletableFuture<List<Setup.Row>> two = CompletableFuture.supplyAsync(() -> setUp("two"));
    UUID log = one.get(60, TimeUnit.SECONDS).get(0).log();
    assertThat(two.get(60, TimeUnit.SECONDS).get(0).log()).isEqualTo(log);
  }

  @Test
  void aRecorderWhoseLockidBelongsToAnotherIsRefused() throws Exception {
    setUp("one");
    Setup.Row row = setUp("two", wanted(1, new RecorderName("audit"), "b")).get(0);
    assertThat(row.refusal()).contains("audit", "lockid 1", "belongs to recorder orders");
  }

  @Test
  void aRecorderThatHasAnotherLockidInTheDatabaseIsRefused() throws Exception {
    setUp("one");
    Setup.Row row = setUp("two", wanted(2, ORDERS, "b")).get(0);
    assertThat(row.refusal()).contains("orders", "lockid 2", "lockid 1");
  }

  @Test
  void aLayoutThatDiffersFromThePinnedOneIsRefusedWithBothValues() throws Exception {
    setUp("one");
    Setup.Row row = setUp("two", wanted(1, ORDERS, "elsewhere")).get(0);
    assertThat(row.refusal()).contains("\"bucket\":\"b\"", "\"bucket\":\"elsewhere\"");
  }

  @Test
  void aRoleWithoutTheRightToCreateIsToldWhichSqlToRun() throws Exception {
    try (TestDatabase foreign = TestDatabase.create();
        RdsManager manager = new RdsManager(TestSessions.of(foreign, "one"))) {
      manager.connect();
      assertThatThrownBy(() -> new Setup(manager).run(List.of(wanted(1, ORDERS, "b"))))
          .isInstanceOf(DatabaseException.class)
          .hasMessageContaining("CREATE SCHEMA IF NOT EXISTS recorder")
          .hasMessageContaining("recorder schema")
          .extracting(e -> ((DatabaseException) e).kind())
          .isEqualTo(DatabaseException.Kind.RIGHTS);
    }
  }

  @Test
  void aSchemaNewerThanTheProgramIsRefused() throws Exception {
    setUp("one");
    database.execute("UPDATE recorder.schema_info SET version = version + 1");
    assertThatThrownBy(() -> setUp("two"))
        .isInstanceOf(DatabaseException.class)
        .hasMessageContaining("newer than this program knows");
  }

  @Test
  void machinesUnderTwoRolesAreRefused() throws Exception {
    database.server().createRole("other", TestDatabase.PASSWORD);
    try (RdsManager first = new RdsManager(TestSessions.of(database, "one"));
        RdsManager second = new RdsManager(TestSessions.of(database, "two", "other"))) {
      first.connect();
      second.connect();
      assertThatThrownBy(() -> new Setup(second).run(List.of(wanted(1, ORDERS, "b"))))
          .isInstanceOf(DatabaseException.class)
          .hasMessageContaining("recorder/one/control runs under role recorder")
          .hasMessageContaining("this machine under other");
    }
  }

  @Test
  void producersInsertAndCopyWithoutNamingAPartition() throws Exception {
    setUp("one");
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("INSERT INTO handoff.orders (key, payload) VALUES ('k', '{\"a\": 1}')");
      new org.postgresql.copy.CopyManager(
              connection.unwrap(org.postgresql.core.BaseConnection.class))
          .copyIn(
              "COPY handoff.orders (key, payload) FROM STDIN",
              new java.io.StringReader("k2\t{\"a\": 2}\nk3\t{\"a\": 3}\n"));
      try (ResultSet row =
          statement.executeQuery(
              "SELECT count(*), count(DISTINCT id), min(id) FROM handoff.orders")) {
        row.next();
        assertThat(row.getInt(1)).isEqualTo(3);
        assertThat(row.getInt(2)).isEqualTo(3);
        assertThat(row.getInt(3)).isEqualTo(1);
      }
    }
  }

  @Test
  void aRowThatBringsATransactionNumberOfAnotherDatabaseIsTurnedAway() throws Exception {
    setUp("one");
    assertThatThrownBy(
            () ->
                database.execute(
                    "INSERT INTO handoff.orders (xid, payload) VALUES ('99999999', '{}')"))
        .hasMessageContaining("xid_is_own");
  }

  @Test
  void aHandoffTableRestoredFromAnotherDatabaseIsRefused() throws Exception {
    setUp("one");
    database.execute(
        "ALTER TABLE handoff.orders DROP CONSTRAINT xid_is_own",
        "INSERT INTO handoff.orders (xid, payload) VALUES ('99999999', '{}')");
    assertThat(setUp("two").get(0).refusal()).contains("99999999", "Restored databases");
  }

  private List<Setup.Row> setUp(String machine) {
    return setUp(machine, wanted(1, ORDERS, "b"));
  }

  private List<Setup.Row> setUp(String machine, Setup.Wanted wanted) {
    try (RdsManager manager = new RdsManager(TestSessions.of(database, machine))) {
      manager.connect();
      return new Setup(manager).run(List.of(wanted));
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Setup.Wanted wanted(int lockId, RecorderName name, String bucket) {
    return new Setup.Wanted(
        lockId,
        name,
        "log",
        PinnedLayout.of(new LogLayout("", bucket, "p", name, Compression.GZIP)));
  }
}
