package dev.recorder.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.recorder.handoff.RecorderKind;
import dev.recorder.handoff.RecorderName;
import dev.recorder.slotlog.Compression;
import dev.recorder.slotlog.LogLayout;
import dev.recorder.testing.PostgresServer;
import dev.recorder.testing.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
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
    assertThat(row.refusal())
        .contains("recorder audit has lockid 1", "lockid 1 belongs to recorder orders");
  }

  @Test
  void aRecorderThatHasAnotherLockidInTheDatabaseIsRefused() throws Exception {
    setUp("one");
    Setup.Row row = setUp("two", wanted(2, ORDERS, "b")).get(0);
    assertThat(row.refusal())
        .contains("recorder orders has lockid 2", "lockid 1 belongs to recorder orders");
  }

  @Test
  void aRefusalNamesBothPairsWhenNumbersWereSwapped() throws Exception {
    setUp("one");
    setUp("one", wanted(2, new RecorderName("audit"), "b"));
    Setup.Row row = setUp("two", wanted(2, ORDERS, "b")).get(0);
    assertThat(row.refusal())
        .contains("recorder orders has lockid 2 in this file")
        .contains("lockid 1 belongs to recorder orders and lockid 2 belongs to recorder audit");
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
  void eachMissingRightIsNamedWithTheGrantThatGivesIt() throws Exception {
    setUp("one");
    database.execute(
        "ALTER TABLE recorder.slots OWNER TO postgres",
        "GRANT SELECT ON recorder.slots TO recorder",
        "ALTER TABLE recorder.takeovers OWNER TO postgres");
    assertThatThrownBy(() -> setUp("two"))
        .isInstanceOf(DatabaseException.class)
        .hasMessage(
            """
            this role lacks SELECT on recorder.takeovers, INSERT on recorder.takeovers,\
             UPDATE on recorder.takeovers, INSERT on recorder.slots;\
             let an administrator run:
            GRANT SELECT ON recorder.takeovers TO recorder;
            GRANT INSERT ON recorder.takeovers TO recorder;
            GRANT UPDATE ON recorder.takeovers TO recorder;
            GRANT INSERT ON recorder.slots TO recorder;""")
        .extracting(e -> ((DatabaseException) e).kind())
        .isEqualTo(DatabaseException.Kind.RIGHTS);
  }

  @Test
  void aSchemaThatTheRoleMayNotUseIsNamed() throws Exception {
    setUp("one");
    database.execute("ALTER SCHEMA recorder OWNER TO postgres");
    assertThatThrownBy(() -> setUp("two"))
        .hasMessageContaining("USAGE on schema recorder")
        .hasMessageContaining("GRANT USAGE ON SCHEMA recorder TO recorder;");
    database.execute(
        "GRANT USAGE ON SCHEMA recorder TO recorder", "ALTER SCHEMA handoff OWNER TO postgres");
    assertThatThrownBy(() -> setUp("two"))
        .hasMessageContaining("GRANT USAGE ON SCHEMA handoff TO recorder;");
  }

  @Test
  void aHandoffTableThatMayNotBeReadOrTickedIntoIsNamed() throws Exception {
    setUp("one");
    database.execute("ALTER TABLE handoff.orders OWNER TO postgres");
    assertThatThrownBy(() -> setUp("two", ticking()))
        .hasMessageContaining("GRANT SELECT ON handoff.orders TO recorder;")
        .hasMessageContaining("GRANT INSERT (key, payload) ON handoff.orders TO recorder;");
    database.execute("GRANT SELECT ON handoff.orders TO recorder");
    assertThat(setUp("two").get(0).refusal()).isEmpty();
  }

  @Test
  void theGrantsThatAMessageListsAreEnough() throws Exception {
    setUp("one");
    database.execute(
        "REASSIGN OWNED BY recorder TO postgres",
        "REVOKE CREATE ON DATABASE " + database.name() + " FROM recorder");
    DatabaseException control = catchThrowableOfType(DatabaseException.class, () -> setUp("two"));
    database.execute(control.getMessage().split("run:\n", 2)[1]);
    DatabaseException handoff = catchThrowableOfType(DatabaseException.class, () -> setUp("two"));
    database.execute(handoff.getMessage().split("run:\n", 2)[1]);
    assertThat(setUp("two").get(0).refusal()).isEmpty();
  }

  @Test
  void aPayloadOverTheLimitIsTurnedAwayUnderTheNameOfTheCheck() throws Exception {
    setUp("one", limited(1_024));
    database.execute(insertOf(1_024));
    assertThatThrownBy(() -> database.execute(insertOf(1_025)))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("23514"))
        .hasMessageContaining("violates check constraint \"payload_within_max_payload\"");
    assertThat(one("SELECT count(*) FROM handoff.orders")).isEqualTo("1");
  }

  @Test
  void aPartitionThatIsAddedLaterHasTheLimitToo() throws Exception {
    setUp("one", limited(1_024));
    database.execute(
        "CREATE TABLE handoff.orders_today PARTITION OF handoff.orders"
            + " FOR VALUES FROM ('2000-01-01') TO ('2200-01-01')");
    assertThatThrownBy(() -> database.execute(insertOf(1_025)))
        .hasMessageContaining("payload_within_max_payload");
    assertThat(setUp("one", limited(2_048)).get(0).payloadLimit())
        .contains("does not own a partition");
    database.execute("ALTER TABLE handoff.orders_today OWNER TO recorder");
    assertThat(setUp("one", limited(2_048)).get(0).payloadLimit()).isEmpty();
    database.execute(insertOf(1_025));
  }

  @Test
  void aChangedLimitIsAppliedAtStartAndRowsOverItStay() throws Exception {
    setUp("one", limited(4_096));
    database.execute(insertOf(4_096));
    assertThat(setUp("one", limited(1_024)).get(0).payloadLimit()).isEmpty();
    assertThatThrownBy(() -> database.execute(insertOf(1_025)))
        .hasMessageContaining("payload_within_max_payload");
    assertThat(one("SELECT count(*) FROM handoff.orders")).isEqualTo("1");
    setUp("one", limited(8_192));
    database.execute(insertOf(8_192));
  }

  @Test
  void aTableWithoutALimitGetsOne() throws Exception {
    setUp("one");
    database.execute("ALTER TABLE handoff.orders DROP CONSTRAINT payload_within_max_payload");
    assertThat(setUp("one", limited(1_024)).get(0).payloadLimit()).isEmpty();
    assertThatThrownBy(() -> database.execute(insertOf(1_025)))
        .hasMessageContaining("payload_within_max_payload");
  }

  @Test
  void aLimitThatCannotBeChangedNamesTheSqlToRun() throws Exception {
    setUp("one", limited(1_024));
    database.execute(
        "ALTER TABLE handoff.orders OWNER TO postgres",
        "GRANT SELECT ON handoff.orders TO recorder");
    Setup.Row row = setUp("one", limited(2_048)).get(0);
    assertThat(row.refusal()).isEmpty();
    assertThat(row.payloadLimit())
        .contains("the file says 2048 bytes, table handoff.orders has 1024")
        .contains("does not own the table");
    database.execute(
        row.payloadLimit().split("run, when no transaction holds it for long: ", 2)[1]);
    database.execute(insertOf(2_048));
    assertThat(setUp("one", limited(2_048)).get(0).payloadLimit()).isEmpty();
  }

  @Test
  void aChangedLimitNeverWaitsBehindAProducer() throws Exception {
    setUp("one", limited(1_024));
    try (Connection slow = database.connect();
        Statement statement = slow.createStatement()) {
      slow.setAutoCommit(false);
      statement.execute(insertOf(2));
      CompletableFuture<List<Setup.Row>> start =
          CompletableFuture.supplyAsync(() -> setUp("one", limited(2_048)));
      while (!start.isDone()) {
        database.execute("SET lock_timeout = '4s'", insertOf(2));
      }
      assertThat(start.get().get(0).payloadLimit())
          .contains("a transaction held it for more than 100 ms");
      slow.commit();
    }
    assertThat(setUp("one", limited(2_048)).get(0).payloadLimit()).isEmpty();
    database.execute(insertOf(2_048));
  }

  @Test
  void aSuperuserIsNoticed() throws Exception {
    try (RdsManager manager =
        new RdsManager(TestSessions.of(database, "one", PostgresServer.SUPERUSER))) {
      manager.connect();
      new Setup(manager).run(List.of(wanted(1, ORDERS, "b")));
      assertThat(Surroundings.of(manager).superuser()).isTrue();
      assertThat(Surroundings.of(manager).role()).isEqualTo("postgres");
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

  /** SQL that inserts a payload of so many bytes. */
  private static String insertOf(int bytes) {
    return "INSERT INTO handoff.orders (payload) SELECT to_json(repeat('x', " + (bytes - 2) + "))";
  }

  private String one(String sql) throws SQLException {
    try (Connection connection = database.connectAsSuperuser();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    }
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
        RecorderKind.LOG,
        PinnedLayout.of(new LogLayout("", bucket, "p", name, Compression.GZIP)),
        new Setup.Handoff(16 << 20, false));
  }

  private static Setup.Wanted limited(long maxPayload) {
    return with(new Setup.Handoff(maxPayload, false));
  }

  private static Setup.Wanted ticking() {
    return with(new Setup.Handoff(16 << 20, true));
  }

  private static Setup.Wanted with(Setup.Handoff handoff) {
    Setup.Wanted usual = wanted(1, ORDERS, "b");
    return new Setup.Wanted(1, ORDERS, usual.kind(), usual.layout(), handoff);
  }
}
