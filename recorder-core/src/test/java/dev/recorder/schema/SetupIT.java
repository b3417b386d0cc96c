package dev.recorder.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.recorder.handoff.RecorderKind;
import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.RdsManager;
import dev.recorder.postgres.SchemaNames;
import dev.recorder.postgres.TestSessions;
import dev.recorder.requests.Verdict;
import dev.recorder.requests.postgres.RequestSession;
import dev.recorder.requests.postgres.RequestSite;
import dev.recorder.slotlog.Compression;
import dev.recorder.slotlog.LogLayout;
import dev.recorder.testing.PostgresServer;
import dev.recorder.testing.TestDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
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
  @Tag("smoke")
  void twoMachinesThatStartAtOnceOnAnEmptyDatabaseBothSucceed() throws Exception {
    CompletableFuture<List<Setup.Row>> one = CompletableFuture.supplyAsync(() -> setUp("one"));
    CompletableFuture<List<Setup.Row>> two = CompletableFuture.supplyAsync(() -> setUp("two"));
    UUID log = one.get(1, TimeUnit.MINUTES).get(0).log();
    assertThat(two.get(1, TimeUnit.MINUTES).get(0).log()).isEqualTo(log);
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
  void aLogWhosePayloadsAreNoLongerKeptByteForByteIsRefused() throws Exception {
    setUp("one");
    database.execute("ALTER TABLE handoff.orders ALTER COLUMN payload TYPE jsonb");

    assertThat(setUp("two").get(0).refusal())
        .contains("column payload of table handoff.orders has become jsonb", "byte for byte")
        .contains("ALTER TABLE handoff.orders ALTER COLUMN payload TYPE json");

    database.execute("ALTER TABLE handoff.orders ALTER COLUMN payload TYPE json");
    assertThat(setUp("two").get(0).refusal()).isEmpty();
  }

  @Test
  @Tag("smoke")
  void aRoleWithoutTheRightToCreateIsToldWhichSqlToRun() throws Exception {
    try (TestDatabase foreign = TestDatabase.create();
        RdsManager manager = new RdsManager(TestSessions.patient(foreign, "one"))) {
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
  @Tag("smoke")
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
  @Tag("smoke")
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
  @Tag("smoke")
  void aDatabaseFromBeforeThereWereLocksGetsTheirTables() throws Exception {
    setUp("one");
    database.execute(
        "DROP TABLE recorder.lock_mutex, recorder.lock_task", "DROP SEQUENCE recorder.lock_token");
    setUp("one");
    assertThat(one(LOCK_RELATIONS)).isEqualTo("lock_mutex,lock_task,lock_timeout,lock_token");
  }

  @Test
  void whoRecordsOnlyNeedsNoTablesOfLocks() throws Exception {
    setUp("one");
    database.execute(
        "DROP TABLE recorder.lock_mutex, recorder.lock_task, recorder.lock_timeout",
        "DROP SEQUENCE recorder.lock_token",
        "ALTER SCHEMA recorder OWNER TO postgres",
        "GRANT USAGE ON SCHEMA recorder TO recorder");
    assertThat(setUp("one").get(0).refusal()).isEmpty();
    assertThat(one(LOCK_RELATIONS)).isNull();
  }

  @Test
  @Tag("smoke")
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
  @Tag("smoke")
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
    try (RdsManager first = new RdsManager(TestSessions.patient(database, "one"));
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
  @Tag("smoke")
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
  @Tag("smoke")
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

  @Test
  @Tag("smoke")
  void aTableOfRequestsIsCreatedAndTheNextStartLeavesItAlone() throws Exception {
    assertThat(setUp("one", requests(1, ORDERS)).get(0).refusal()).isEmpty();
    database.execute("INSERT INTO handoff.orders (entity_id) VALUES ('x')");
    assertThat(one("SELECT request_status || request_type || attempts FROM handoff.orders"))
        .isEqualTo("newcreate0");
    String before = one(CATALOG);
    assertThat(before)
        .contains("_orders_one_create", "_orders_new", "_orders_entity", "_orders_error");
    assertThat(setUp("two", requests(1, ORDERS)).get(0).refusal()).isEmpty();
    assertThat(one(CATALOG)).isEqualTo(before);
  }

  @Test
  void recordersMayBeCalledLikeTheIndexesOfOthers() throws Exception {
    setUp("one", requests(1, ORDERS));
    for (String suffix : List.of("new", "entity", "error", "one_create")) {
      RecorderName other = new RecorderName("orders_" + suffix);
      int lockId = 2 + suffix.length();
      assertThat(setUp("one", requests(lockId, other)).get(0).refusal()).isEmpty();
      database.execute("INSERT INTO handoff." + other + " (entity_id) VALUES ('x')");
    }
  }

  @Test
  void aRecorderCalledLikeTheIndexOfAnotherIsRefusedAloneAndTheOthersGoOn() throws Exception {
    setUp("one");
    RecorderName named = new RecorderName("orders_xid_id");
    List<Setup.Row> rows = setUp("one", wanted(2, named, "b"), wanted(1, ORDERS, "b"));
    assertThat(rows.get(0).refusal())
        .isEqualTo(
            "recorder orders_xid_id needs the table handoff.orders_xid_id, which is an index of"
                + " handoff.orders; give the recorder another name");
    assertThat(rows.get(1).refusal()).isEmpty();
    assertThat(setUp("one", wanted(3, new RecorderName("orders_id_seq"), "b")).get(0).refusal())
        .contains("handoff.orders_id_seq, which is a sequence");
  }

  @Test
  void aTableIsNotMadeWhileSomethingElseHasTheNameOfItsIndex() throws Exception {
    setUp("one", wanted(2, new RecorderName("orders_xid_id"), "b"));
    assertThat(setUp("one").get(0).refusal())
        .isEqualTo(
            "recorder orders needs the index handoff.orders_xid_id, which is a table; give the"
                + " recorder another name, or rename that and run the output of 'recorder schema'");
    assertThat(ask("SELECT to_regclass('handoff.orders')")).isNull();

    database.execute("ALTER TABLE handoff.orders_xid_id RENAME TO other");
    assertThat(setUp("one").get(0).refusal()).isEmpty();
    assertThat(ask("SELECT to_regclass('handoff.orders_xid_id')")).isNotNull();
  }

  @Test
  void aTableWhoseIndexIsOnAnotherTableIsRefused() throws Exception {
    setUp("one");
    database.execute("ALTER TABLE handoff.orders RENAME TO old_orders");
    assertThat(setUp("one").get(0).refusal())
        .contains("handoff.orders_xid_id, which is an index of handoff.old_orders");
    database.execute("CREATE VIEW handoff._inbox_one_create AS SELECT 1");
    assertThat(setUp("one", requests(2, new RecorderName("inbox"))).get(0).refusal())
        .contains("needs the index handoff._inbox_one_create, which is a view");
  }

  @Test
  void aRecorderThatChangesItsKindIsRefused() throws Exception {
    setUp("one");
    RecorderName inbox = new RecorderName("inbox");
    setUp("one", requests(2, inbox));
    assertThat(setUp("two", requests(1, ORDERS)).get(0).refusal())
        .contains("recorder orders has kind = requests in this file")
        .contains("in the database kind = log");
    assertThat(setUp("two", wanted(2, inbox, "b")).get(0).refusal())
        .contains("recorder inbox has kind = log in this file")
        .contains("in the database kind = requests");
    assertThat(setUp("one").get(0).refusal()).isEmpty();
    assertThat(setUp("one", requests(2, inbox)).get(0).refusal()).isEmpty();
  }

  @Test
  void aTableOfTheOtherKindIsRefusedAndTheRightKindIsStillTaken() throws Exception {
    RecorderName inbox = new RecorderName("inbox");
    Schema schema = new Schema(SchemaNames.DEFAULT);
    database.execute(
        schema.script(
            TestDatabase.ROLE,
            List.of(
                new HandoffTable(ORDERS, RecorderKind.LOG, 16 << 20),
                new HandoffTable(inbox, RecorderKind.REQUESTS, 16 << 20))));
    database.execute(
        "GRANT ALL ON ALL TABLES IN SCHEMA handoff TO recorder",
        "GRANT ALL ON ALL TABLES IN SCHEMA recorder TO recorder");
    assertThat(setUp("one", requests(1, ORDERS)).get(0).refusal())
        .contains("table handoff.orders is one of kind = log, this file says kind = requests");
    assertThat(setUp("one", wanted(2, inbox, "b")).get(0).refusal())
        .contains("table handoff.inbox is one of kind = requests, this file says kind = log");
    assertThat(setUp("one").get(0).refusal()).isEmpty();
    assertThat(setUp("one", requests(2, inbox)).get(0).refusal()).isEmpty();
  }

  @Test
  @Tag("smoke")
  void whatAnAdministratorCreatesSufficesForAWorkerThatOwnsNothing() throws Exception {
    try (TestDatabase foreign = TestDatabase.create()) {
      foreign.execute(
          new Schema(SchemaNames.DEFAULT)
              .script(
                  TestDatabase.ROLE,
                  List.of(new HandoffTable(ORDERS, RecorderKind.REQUESTS, 16 << 20))));
      try (RdsManager manager = new RdsManager(TestSessions.patient(foreign, "one"))) {
        manager.connect();
        Setup.Row row = new Setup(manager).run(List.of(requests(1, ORDERS))).get(0);
        assertThat(row.refusal()).isEmpty();
        assertThat(row.payloadLimit()).isEmpty();
      }
      foreign.execute(
          "INSERT INTO handoff.orders (entity_id, request_type)"
              + " SELECT 'x', 'update' FROM generate_series(1, 5)");
      try (RequestSession worker =
          RequestSession.open(
              TestSessions.patient(foreign, "one"), ORDERS, 1, RequestSite.UNIT_LIMIT)) {
        worker.takeBack(RequestSite.unit(worker, 1).begun());
        RequestSite.unit(worker, 1).postpone(worker, Duration.ZERO, 10);
        RequestSite.Unit unit = RequestSite.unit(worker, 1);
        worker.settle(
            unit.begun(), unit.work(), new Verdict.Settled(List.of(1L), Map.of(2L, "no")));
        RequestSite.unit(worker, 3).complete(worker);
      }
    }
  }

  @Test
  void eachRightThatAWorkerLacksIsNamed() throws Exception {
    setUp("one", requests(1, ORDERS));
    database.execute(
        "ALTER TABLE handoff.orders OWNER TO postgres",
        "GRANT SELECT ON handoff.orders TO recorder");
    DatabaseException refused =
        catchThrowableOfType(DatabaseException.class, () -> setUp("one", requests(1, ORDERS)));
    assertThat(refused)
        .hasMessageContaining("GRANT INSERT ON handoff.orders TO recorder;")
        .hasMessageContaining("GRANT UPDATE ON handoff.orders TO recorder;")
        .hasMessageContaining("GRANT DELETE ON handoff.orders TO recorder;");
    database.execute(refused.getMessage().split("run:\n", 2)[1]);
    assertThat(setUp("one", requests(1, ORDERS)).get(0).refusal()).isEmpty();
  }

  @Test
  @Tag("smoke")
  void aProducerAsksAndSeesWhatHasBecomeOfItAndNoMore() throws Exception {
    database.server().createRole("front_end", TestDatabase.PASSWORD);
    database.execute(
        "DO $$ BEGIN CREATE ROLE recorder_producer NOLOGIN;"
            + " EXCEPTION WHEN duplicate_object THEN NULL; END $$",
        "GRANT recorder_producer TO front_end");
    setUp("one", requests(1, ORDERS));
    Properties credentials = new Properties();
    credentials.setProperty("user", "front_end");
    credentials.setProperty("password", TestDatabase.PASSWORD);
    try (Connection front = DriverManager.getConnection(database.jdbcUrl(), credentials);
        Statement statement = front.createStatement()) {
      assertThat(
              read(
                  statement,
                  "INSERT INTO handoff.orders (request_type, entity_id, payload)"
                      + " VALUES ('create', 'x', '{}') RETURNING id"))
          .isEqualTo("1");
      statement.execute("INSERT INTO handoff.orders (entity_id) VALUES ('y')");
      assertThat(
              read(
                  statement,
                  "SELECT id || request_status || request_type || coalesce(process_id::text, '')"
                      + " || entity_id || coalesce(error_text, '') || attempts"
                      + " || coalesce(not_before::text, '') || (created_at <= now())::text"
                      + " || coalesce(settled_at::text, '') FROM handoff.orders WHERE id = 1"))
          .isEqualTo("1newcreatex0true");
      for (String forbidden :
          List.of(
              "SELECT payload FROM handoff.orders",
              "SELECT * FROM handoff.orders",
              "SELECT begun_by FROM handoff.orders",
              "INSERT INTO handoff.orders (entity_id, payload) VALUES ('z', '{}')"
                  + " RETURNING payload",
              "INSERT INTO handoff.orders (entity_id, request_status) VALUES ('z', 'complete')",
              "INSERT INTO handoff.orders (id, entity_id) OVERRIDING SYSTEM VALUE"
                  + " VALUES (7, 'z')",
              "INSERT INTO handoff.orders (entity_id, created_at) VALUES ('z', now())",
              "UPDATE handoff.orders SET request_status = 'new'",
              "DELETE FROM handoff.orders",
              "TRUNCATE handoff.orders",
              "SELECT id FROM handoff.orders FOR UPDATE")) {
        assertThatThrownBy(() -> statement.execute(forbidden))
            .as(forbidden)
            .isInstanceOfSatisfying(
                SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("42501"));
      }
      assertThat(one("SELECT count(*) FROM handoff.orders")).isEqualTo("2");
    }
  }

  private static final String LOCK_RELATIONS =
      "SELECT string_agg(relname, ',' ORDER BY relname) FROM pg_class"
          + " WHERE relnamespace = 'recorder'::regnamespace AND relname IN"
          + " ('lock_token', 'lock_mutex', 'lock_timeout', 'lock_task')";

  /** All that DDL would leave a trace in. */
  private static final String CATALOG =
      "SELECT string_agg(what || ' ' || xmin, ', ' ORDER BY what) FROM ("
          + "SELECT relname::text AS what, xmin::text FROM pg_class"
          + " WHERE relnamespace = 'handoff'::regnamespace UNION ALL"
          + " SELECT conname::text, xmin::text FROM pg_constraint"
          + " WHERE conrelid = 'handoff.orders'::regclass) s";

  private static String read(Statement statement, String sql) throws SQLException {
    try (ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    }
  }

  private static Setup.Wanted requests(int lockId, RecorderName name) {
    return new Setup.Wanted(
        lockId,
        name,
        RecorderKind.REQUESTS,
        new PinnedLayout("", "b", "p", "json", "none"),
        new Setup.Handoff(16 << 20, false));
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

  private @Nullable String ask(String sql) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    }
  }

  private List<Setup.Row> setUp(String machine, Setup.Wanted... wanted) {
    try (RdsManager manager = new RdsManager(TestSessions.patient(database, machine))) {
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
