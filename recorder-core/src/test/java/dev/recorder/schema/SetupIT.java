package dev.recorder.schema;

import static dev.recorder.schema.OneLog.wanted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.recorder.handoff.RecorderKind;
import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseSettings;
import dev.recorder.postgres.RdsManager;
import dev.recorder.postgres.Sessions;
import dev.recorder.postgres.TestSessions;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.requests.UnitVerdict;
import dev.recorder.requests.postgres.RequestSession;
import dev.recorder.requests.postgres.RequestSite;
import dev.recorder.slotlog.Compression;
import dev.recorder.slotlog.LogLayout;
import dev.recorder.testing.servers.PostgresServer;
import dev.recorder.testing.servers.TestDatabase;
import dev.recorder.testing.servers.TestSettings;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a machine finds, makes and refuses at start-up, on a real server. */
class SetupIT {
  private static final Setup.WantedRecorder ORDERS = wanted(1, "orders");
  private static final Setup.WantedRecorder AUDIT = wanted(2, "audit");
  private static final Setup.WantedRecorder REQUESTS = requests(1, "orders");

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
    CompletableFuture<List<Setup.Row>> one =
        CompletableFuture.supplyAsync(() -> setUp("one", ORDERS));
    CompletableFuture<List<Setup.Row>> two =
        CompletableFuture.supplyAsync(() -> setUp("two", ORDERS));
    UUID log = one.get(1, TimeUnit.MINUTES).get(0).log();
    assertThat(two.get(1, TimeUnit.MINUTES).get(0).log()).isEqualTo(log);
  }

  @Test
  void aRecorderWhoseLockidBelongsToAnotherIsRefused() throws Exception {
    setUp("one", ORDERS);
    assertThat(refusal("two", wanted(1, "audit")))
        .contains("recorder audit has lockid 1", "lockid 1 belongs to recorder orders");
  }

  @Test
  void aRecorderThatHasAnotherLockidInTheDatabaseIsRefused() throws Exception {
    setUp("one", ORDERS);
    assertThat(refusal("two", wanted(2, "orders")))
        .contains("recorder orders has lockid 2", "lockid 1 belongs to recorder orders");
  }

  @Test
  void aRefusalNamesBothPairsWhenNumbersWereSwapped() throws Exception {
    setUp("one", ORDERS);
    setUp("one", wanted(2, "audit"));
    assertThat(refusal("two", wanted(2, "orders")))
        .contains("recorder orders has lockid 2 in this file")
        .contains("lockid 1 belongs to recorder orders and lockid 2 belongs to recorder audit");
  }

  @Test
  void aLayoutThatDiffersFromThePinnedOneIsRefusedWithBothValues() throws Exception {
    setUp("one", ORDERS);
    assertThat(claimed("one", ORDERS)).isEmpty();
    LogLayout elsewhere = new LogLayout("", "elsewhere", "p", ORDERS.recorder(), Compression.GZIP);
    assertThat(refusal("two", wanted(1, elsewhere)))
        .contains("\"bucket\":\"b\"", "\"bucket\":\"elsewhere\"");
  }

  @Test
  void aPlaceThatNoHostHasClaimedCanBeCorrected() throws Exception {
    for (Setup.WantedRecorder mistyped : List.of(ORDERS, requests(2, "docs"))) {
      Setup.WantedRecorder corrected =
          new Setup.WantedRecorder(
              mistyped.lockId(),
              mistyped.recorder(),
              mistyped.kind(),
              PinnedLayout.ofDocuments("", "corrected", "p"),
              mistyped.handoff());
      setUp("one", mistyped);
      assertThat(refusal("two", corrected)).isEmpty();
      // Both run, as the first was not restarted, and both stores are there by now.
      assertThat(claimed("two", corrected)).isEmpty();
      assertThat(claimed("one", mistyped)).contains("\"bucket\":\"corrected\"", "does not move");

      assertThat(claimed("two", corrected)).isEmpty();
      assertThat(refusal("one", mistyped)).contains("\"bucket\":\"b\"", "does not move");
    }
  }

  /** Tells the database that the recorder's identity object is in its store. */
  private String claimed(String machine, Setup.WantedRecorder wanted) {
    try (RdsManager manager = new RdsManager(TestSessions.patient(database, machine))) {
      manager.connect();
      return Setup.logCreated(manager, wanted.lockId(), wanted.layout());
    }
  }

  @Test
  void aLogWhosePayloadsAreNoLongerKeptByteForByteIsRefused() throws Exception {
    setUp("one", ORDERS);
    database.execute(
        "ALTER TABLE handoff.orders DROP CONSTRAINT only_captures_write_changes",
        "ALTER TABLE handoff.orders ALTER COLUMN payload TYPE jsonb");

    assertThat(refusal("two", ORDERS))
        .contains("column payload of table handoff.orders has become jsonb", "byte for byte")
        .contains("ALTER TABLE handoff.orders ALTER COLUMN payload TYPE json");

    database.execute("ALTER TABLE handoff.orders ALTER COLUMN payload TYPE json");
    assertThat(refusal("two", ORDERS)).isEmpty();
    database.execute("ALTER TABLE handoff.orders ALTER COLUMN time TYPE date");
    assertThat(refusal("two", ORDERS)).contains("time TYPE timestamptz");
    database.execute("ALTER TABLE handoff.orders ALTER COLUMN time TYPE timestamptz");
    // Then format_type says "json", with quotation marks.
    database.execute("ALTER ROLE CURRENT_USER SET quote_all_identifiers = on");
    try {
      assertThat(refusal("two", ORDERS)).isEmpty();
    } finally {
      database.execute("ALTER ROLE CURRENT_USER RESET quote_all_identifiers");
    }
  }

  @Test
  @Tag("smoke")
  void aRoleWithoutTheRightToCreateIsToldWhatToRun() throws Exception {
    try (TestDatabase foreign = TestDatabase.create()) {
      assertThatThrownBy(() -> OneLog.setUp(TestSessions.patient(foreign, "one"), ORDERS))
          .isInstanceOf(DatabaseException.class)
          .hasMessageStartingWith("tables of schema recorder missing, and this role may not create")
          .hasMessageContaining("recorder schema")
          .extracting(e -> ((DatabaseException) e).kind())
          .isEqualTo(DatabaseException.DatabaseErrorKind.RIGHTS);
    }
  }

  @Test
  @Tag("smoke")
  void eachMissingRightIsNamedWithTheGrantThatGivesIt() throws Exception {
    setUp("one", ORDERS);
    database.execute(
        "ALTER TABLE recorder.slots OWNER TO postgres",
        "GRANT SELECT ON recorder.slots TO recorder",
        "ALTER TABLE recorder.takeovers OWNER TO postgres");
    assertThatThrownBy(() -> setUp("two", ORDERS))
        .isInstanceOf(DatabaseException.class)
        .hasMessage(
            """
            this role lacks SELECT on recorder.takeovers, INSERT on recorder.takeovers,\
             UPDATE on recorder.takeovers, INSERT on recorder.slots;\
             let an administrator run:
            GRANT SELECT ON recorder.takeovers TO recorder;
            GRANT INSERT ON recorder.takeovers TO recorder;
            GRANT UPDATE ON recorder.takeovers TO recorder;
            GRANT INSERT ON recorder.slots TO recorder;\
            """)
        .extracting(e -> ((DatabaseException) e).kind())
        .isEqualTo(DatabaseException.DatabaseErrorKind.RIGHTS);
  }

  @Test
  void aSchemaThatTheRoleMayNotUseIsNamed() throws Exception {
    setUp("one", ORDERS);
    database.execute("ALTER SCHEMA recorder OWNER TO postgres");
    assertThatThrownBy(() -> setUp("two", ORDERS))
        .hasMessageContaining("USAGE on schema recorder")
        .hasMessageContaining("GRANT USAGE ON SCHEMA recorder TO recorder;");
    database.execute(
        "GRANT USAGE ON SCHEMA recorder TO recorder", "ALTER SCHEMA handoff OWNER TO postgres");
    assertThatThrownBy(() -> setUp("two", ORDERS))
        .hasMessageContaining("GRANT USAGE ON SCHEMA handoff TO recorder;");
  }

  @Test
  void aHandoffTableThatMayNotBeReadOrTickedIntoIsNamed() throws Exception {
    setUp("one", ORDERS);
    database.execute("ALTER TABLE handoff.orders OWNER TO postgres");
    assertThatThrownBy(() -> setUp("two", ticking()))
        .hasMessageContaining("GRANT SELECT ON handoff.orders TO recorder;")
        .hasMessageContaining("GRANT INSERT (key, payload) ON handoff.orders TO recorder;");
    database.execute("GRANT SELECT ON handoff.orders TO recorder");
    assertThat(refusal("two", ORDERS)).isEmpty();
  }

  @Test
  void aTableThatIsMissingAndMayNotBeMadeKeepsItsOwnRecorderAwayAndNoOther() throws Exception {
    setUp("one", ORDERS, AUDIT);
    database.execute(
        "DROP TABLE handoff.orders",
        "ALTER SCHEMA handoff OWNER TO postgres",
        "GRANT USAGE ON SCHEMA handoff TO recorder");

    assertThat(setUp("two", ORDERS, AUDIT))
        .extracting(Setup.Row::refusal)
        .satisfiesExactly(
            orders ->
                assertThat(orders)
                    .startsWith("handoff.orders missing, and this role may not create it (")
                    .endsWith("; let an administrator run the output of 'recorder schema'"),
            audit -> assertThat(audit).isEmpty());
  }

  @Test
  void aRightThatOneTableLacksKeepsItsOwnRecorderAwayAndNoOther() throws Exception {
    setUp("one", ORDERS, AUDIT);
    database.execute("ALTER TABLE handoff.orders OWNER TO postgres");

    assertThat(setUp("two", ORDERS, AUDIT))
        .extracting(Setup.Row::refusal)
        .containsExactly(
            "this role lacks SELECT on handoff.orders; let an administrator run: GRANT SELECT ON"
                + " handoff.orders TO recorder;",
            "");
  }

  @Test
  void whatAllRecordersOfAStartLackIsToldTogether() throws Exception {
    setUp("one", ORDERS, AUDIT);
    database.execute(
        "DROP TABLE handoff.orders",
        "ALTER TABLE handoff.audit OWNER TO postgres",
        "ALTER SCHEMA handoff OWNER TO postgres",
        "GRANT USAGE ON SCHEMA handoff TO recorder");

    assertThatThrownBy(() -> setUp("two", ORDERS, AUDIT))
        .hasMessageContaining("handoff.orders missing, and this role may not create it")
        .hasMessageContaining("GRANT SELECT ON handoff.audit TO recorder;");
  }

  @Test
  void aRunningMachineThatAddsARecorderIsToldInALineWhatItLacks() throws Exception {
    setUp("one", ORDERS);
    database.execute("ALTER TABLE handoff.orders OWNER TO postgres");

    try (RdsManager manager = new RdsManager(TestSessions.patient(database, "two"))) {
      manager.connect();
      assertThat(new Setup(manager).add(List.of(ORDERS)))
          .extracting(Setup.Row::refusal)
          .containsExactly(
              "this role lacks SELECT on handoff.orders; let an administrator run: GRANT SELECT ON"
                  + " handoff.orders TO recorder;");
    }
  }

  @Test
  @Tag("smoke")
  void theGrantsThatAMessageListsAreEnough() throws Exception {
    // Of a role of its own: to reassign what a role owns reaches the databases of other tests.
    String role = "owner_for_once";
    PostgresServer server = database.server();
    server.createRole(role, TestDatabase.PASSWORD);
    try (TestDatabase own = TestDatabase.createOn(server, role)) {
      Sessions sessions = TestSessions.of(own, "one", role);
      OneLog.setUp(sessions, ORDERS);
      own.execute(
          "REASSIGN OWNED BY " + role + " TO postgres",
          "REVOKE CREATE ON DATABASE " + own.name() + " FROM " + role);
      own.execute(sqlOf(failure(() -> OneLog.setUp(sessions, ORDERS)))); // For the control schema,
      own.execute(
          sqlOf(failure(() -> OneLog.setUp(sessions, ORDERS)))); // and for that of hand-off tables.
      assertThat(OneLog.setUp(sessions, ORDERS).get(0).refusal()).isEmpty();
    } finally {
      server.execute("DROP ROLE " + role);
    }
  }

  @Test
  @Tag("smoke")
  void tablesThatSomebodyHasDroppedAreMadeAgain() throws Exception {
    setUp("one", ORDERS);
    database.execute(
        "DROP TABLE recorder.lock_mutex, recorder.lock_task", "DROP SEQUENCE recorder.lock_token");
    setUp("one", ORDERS);
    assertThat(database.one(LOCK_RELATIONS))
        .isEqualTo("lock_mutex,lock_name,lock_task,lock_timeout,lock_token");
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
    assertThat(database.one("SELECT count(*) FROM handoff.orders")).isEqualTo("1");
  }

  @Test
  @Tag("smoke")
  void aChangedLimitIsAppliedAtStartAndRowsOverItStay() throws Exception {
    setUp("one", limited(4_096));
    database.execute(insertOf(4_096));
    assertThat(payloadLimit(1_024)).isEmpty();
    assertThatThrownBy(() -> database.execute(insertOf(1_025)))
        .hasMessageContaining("payload_within_max_payload");
    assertThat(database.one("SELECT count(*) FROM handoff.orders")).isEqualTo("1");
    setUp("one", limited(8_192));
    database.execute(insertOf(8_192));
  }

  @Test
  void aRecorderThatIsRefusedLeavesTheLimitAsItIs() throws Exception {
    setUp("one", limited(4_096));
    assertThat(claimed("one", ORDERS)).isEmpty();
    LogLayout elsewhere = new LogLayout("", "elsewhere", "p", ORDERS.recorder(), Compression.GZIP);
    Setup.WantedRecorder moved = wanted(1, elsewhere);

    Setup.Row row = setUp("two", moved).get(0);

    assertThat(row.refusal()).contains("elsewhere");
    assertThat(row.payloadLimit()).isEmpty();
    database.execute(insertOf(4_096));
    assertThatThrownBy(() -> database.execute(insertOf(4_097)))
        .hasMessageContaining("payload_within_max_payload");
  }

  @Test
  void aTableWithoutALimitGetsOne() throws Exception {
    setUp("one", ORDERS);
    database.execute("ALTER TABLE handoff.orders DROP CONSTRAINT payload_within_max_payload");
    assertThat(payloadLimit(1_024)).isEmpty();
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
    assertThat(payloadLimit(2_048)).isEmpty();
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
    assertThat(payloadLimit(2_048)).isEmpty();
    database.execute(insertOf(2_048));
  }

  @Test
  void aSuperuserIsNoticed() throws Exception {
    try (RdsManager manager =
        new RdsManager(TestSessions.of(database, "one", PostgresServer.SUPERUSER))) {
      manager.connect();
      new Setup(manager).run(List.of(ORDERS));
      ServerInfo server = manager.call(new ServerQueries(manager.schemas())::server);
      assertThat(server.superuser()).isTrue();
      assertThat(server.role()).isEqualTo("postgres");
    }
  }

  @Test
  void aSchemaNewerThanTheProgramIsRefused() throws Exception {
    setUp("one", ORDERS);
    database.execute("UPDATE recorder.schema_info SET version = version + 1");
    assertThatThrownBy(() -> setUp("two", ORDERS))
        .isInstanceOf(DatabaseException.class)
        .hasMessage(
            "schema recorder has version 2, this program runs on 1: update this host's program");
  }

  @Test
  void machinesUnderTwoRolesAreRefused() throws Exception {
    database.server().createRole("other", TestDatabase.PASSWORD);
    try (RdsManager first = new RdsManager(TestSessions.patient(database, "one"))) {
      first.connect();
      assertThatThrownBy(() -> OneLog.setUp(TestSessions.of(database, "two", "other"), ORDERS))
          .isInstanceOf(DatabaseException.class)
          .hasMessageContaining("recorder/one/control runs under role recorder")
          .hasMessageContaining("this host under other");
    }
  }

  @Test
  void triggersThatSomebodyHasDisabledOrDroppedAreNamed() throws Exception {
    setUp("one", ORDERS);

    database.execute("ALTER TABLE recorder.lock_recorders DISABLE TRIGGER ALL");
    assertThatThrownBy(() -> setUp("one", ORDERS))
        .isInstanceOf(DatabaseException.class)
        .hasMessageContaining("ALTER TABLE recorder.lock_recorders ENABLE TRIGGER incumbent_chang");

    database.execute("DROP TRIGGER incumbent_changed ON recorder.lock_recorders");
    assertThatThrownBy(() -> setUp("one", ORDERS))
        .isInstanceOf(DatabaseException.class)
        .hasMessageContaining("has lost its trigger incumbent_changed")
        .hasMessageContaining("'recorder schema'");
  }

  @Test
  void aSessionThatIsOnlyCalledAsAMachinesKeepsNoMachineFromStarting() throws Exception {
    database.server().createRole("namesake", TestDatabase.PASSWORD);
    setUp("one", ORDERS);
    try (RdsManager stranger = new RdsManager(TestSessions.of(database, "one", "namesake"))) {
      stranger.connect();

      setUp("two", ORDERS);
    }
  }

  @Test
  @Tag("smoke")
  void producersInsertAndCopyWithoutNamingAPartition() throws Exception {
    setUp("one", ORDERS);
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("INSERT INTO handoff.orders (key, payload) VALUES ('k', '{\"a\": 1}')");
      new org.postgresql.copy.CopyManager(
              connection.unwrap(org.postgresql.core.BaseConnection.class))
          .copyIn(
              "COPY handoff.orders (key, payload) FROM STDIN",
              new java.io.StringReader("k2\t{\"a\": 2}\nk3\t{\"a\": 3}\n"));
    }
    assertThat(
            database.one("SELECT ROW (count(*), count(DISTINCT id), min(id)) FROM handoff.orders"))
        .isEqualTo("(3,3,1)");
  }

  @Test
  @Tag("smoke")
  void aRowThatBringsATransactionNumberOfAnotherDatabaseIsTurnedAway() throws Exception {
    setUp("one", ORDERS);
    assertThatThrownBy(
            () ->
                database.execute(
                    "INSERT INTO handoff.orders (xid, payload) VALUES ('99999999', '{}')"))
        .hasMessageContaining("xid_is_own");
  }

  @Test
  void aHandoffTableRestoredFromAnotherDatabaseIsRefused() throws Exception {
    setUp("one", ORDERS);
    database.execute(
        "ALTER TABLE handoff.orders DROP CONSTRAINT xid_is_own",
        "INSERT INTO handoff.orders (xid, payload) VALUES ('99999999', '{}')");
    assertThat(refusal("two", ORDERS)).contains("99999999", "Restored databases");
  }

  /** As a text 1000000 comes before the numbers that a new server gives out. */
  @Test
  void alsoIfItHasRowsOfThisOneWhoseNumbersBeginWithALargerDigit() throws Exception {
    setUp("one", ORDERS);
    database.execute(
        "INSERT INTO handoff.orders (payload) VALUES ('{}')",
        "ALTER TABLE handoff.orders DROP CONSTRAINT xid_is_own",
        "INSERT INTO handoff.orders (xid, payload) VALUES ('1000000', '{}')");
    assertThat(refusal("two", ORDERS)).contains("1000000", "Restored databases");
  }

  @Test
  @Tag("smoke")
  void aTableOfRequestsIsCreatedAndTheNextStartLeavesItAlone() throws Exception {
    assertThat(refusal("one", REQUESTS)).isEmpty();
    database.execute("INSERT INTO handoff.orders (entity_id) VALUES ('x')");
    assertThat(
            database.one("SELECT request_status || request_type || attempts FROM handoff.orders"))
        .isEqualTo("newcreate0");
    String before = database.one(CATALOG);
    assertThat(before)
        .contains("_orders_one_create", "_orders_new", "_orders_entity", "_orders_error");
    assertThat(refusal("two", REQUESTS)).isEmpty();
    assertThat(database.one(CATALOG)).isEqualTo(before);
  }

  @Test
  void recordersMayBeCalledLikeTheIndexesOfOthers() throws Exception {
    setUp("one", REQUESTS);
    for (String suffix : List.of("new", "entity", "error", "one_create")) {
      String other = "orders_" + suffix;
      int lockId = 2 + suffix.length();
      assertThat(refusal("one", requests(lockId, other))).isEmpty();
      database.execute("INSERT INTO handoff." + other + " (entity_id) VALUES ('x')");
    }
  }

  @Test
  void aRecorderCalledLikeTheIndexOfAnotherIsRefusedAloneAndTheOthersGoOn() throws Exception {
    setUp("one", ORDERS);
    List<Setup.Row> rows = setUp("one", wanted(2, "orders_xid_id"), ORDERS);
    assertThat(rows.get(0).refusal())
        .isEqualTo(
            "recorder orders_xid_id needs the table handoff.orders_xid_id, which is an index of"
                + " handoff.orders; give the recorder another name");
    assertThat(rows.get(1).refusal()).isEmpty();
    assertThat(refusal("one", wanted(3, "orders_id_seq")))
        .contains("handoff.orders_id_seq, which is a sequence");
  }

  @Test
  void aTableIsNotMadeWhileSomethingElseHasTheNameOfItsIndex() throws Exception {
    setUp("one", wanted(2, "orders_xid_id"));
    assertThat(refusal("one", ORDERS))
        .isEqualTo(
            "recorder orders needs the index handoff.orders_xid_id, which is a table; give the"
                + " recorder another name, or rename that and run the output of 'recorder schema'");
    assertThat(database.one("SELECT to_regclass('handoff.orders')")).isNull();

    database.execute("ALTER TABLE handoff.orders_xid_id RENAME TO other");
    assertThat(refusal("one", ORDERS)).isEmpty();
    assertThat(database.one("SELECT to_regclass('handoff.orders_xid_id')")).isNotNull();
  }

  @Test
  void aTableWhoseIndexIsOnAnotherTableIsRefused() throws Exception {
    setUp("one", ORDERS);
    database.execute("ALTER TABLE handoff.orders RENAME TO old_orders");
    assertThat(refusal("one", ORDERS))
        .contains("handoff.orders_xid_id, which is an index of handoff.old_orders");
    database.execute("CREATE VIEW handoff._inbox_one_create AS SELECT 1");
    assertThat(refusal("one", requests(2, "inbox")))
        .contains("needs the index handoff._inbox_one_create, which is a view");
  }

  @Test
  void aRecorderThatChangesItsKindIsRefused() throws Exception {
    setUp("one", ORDERS);
    setUp("one", requests(2, "inbox"));
    assertThat(refusal("two", REQUESTS))
        .contains("recorder orders has kind = requests in this file")
        .contains("in the database kind = log");
    assertThat(refusal("two", wanted(2, "inbox")))
        .contains("recorder inbox has kind = log in this file")
        .contains("in the database kind = requests");
    assertThat(refusal("one", ORDERS)).isEmpty();
    assertThat(refusal("one", requests(2, "inbox"))).isEmpty();
  }

  /** Whoever grants them would let it change the rows of a log. */
  @Test
  void soItIsBeforeItIsToldWhichRightsTheOtherKindNeeds() throws Exception {
    database.execute(script(ORDERS));
    assertThat(refusal("one", ORDERS)).isEmpty();
    assertThat(refusal("two", REQUESTS)).contains("in the database kind = log");
  }

  @ParameterizedTest
  @EnumSource(RecorderKind.class)
  void aTableOfAnotherInstallationIsRefused(RecorderKind kind) throws Exception {
    Setup.WantedRecorder wanted = kind == RecorderKind.LOG ? ORDERS : REQUESTS;
    setUp("one", wanted);
    assertThat(refusal(new SchemaNames("recorder2", "handoff"), wanted))
        .isEqualTo(
            "table handoff.orders belongs to the recorders of schema recorder, which take its rows,"
                + " and this file has schema = recorder2: give this installation a handoff_schema of"
                + " its own; if the table's COMMENT is of former times, take it away");
    assertThat(refusal("one", wanted)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(RecorderKind.class)
  void aFileWithAnotherSchemaOfTheRowsIsRefused(RecorderKind kind) throws Exception {
    Setup.WantedRecorder wanted = kind == RecorderKind.LOG ? ORDERS : REQUESTS;
    setUp("one", wanted);
    assertThat(refusal(new SchemaNames("recorder", "handoff2"), wanted))
        .isEqualTo(
            "the rows of recorder orders are in table handoff.orders, and this file has"
                + " handoff_schema = handoff2: correct it, or drop that table if nobody needs its"
                + " rows");
    assertThat(database.one("SELECT to_regclass('handoff2.orders') IS NULL")).isEqualTo("t");
  }

  private String refusal(SchemaNames schemas, Setup.WantedRecorder wanted) throws Exception {
    DatabaseSettings same = TestSettings.patient(database);
    DatabaseSettings other =
        DatabaseSettings.of(same.host(), same.database(), same.user())
            .port(same.port())
            .password(TestDatabase.PASSWORD)
            .schemas(schemas)
            .build();
    return OneLog.setUp(new Sessions(other, "two"), wanted).get(0).refusal();
  }

  @Test
  void aTableOfTheOtherKindIsRefusedAndTheRightKindIsStillTaken() throws Exception {
    database.execute(
        script(ORDERS, requests(2, "inbox")),
        "GRANT ALL ON ALL TABLES IN SCHEMA handoff TO recorder",
        "GRANT ALL ON ALL TABLES IN SCHEMA recorder TO recorder");
    assertThat(refusal("one", REQUESTS))
        .contains("table handoff.orders is one of kind = log, this file says kind = requests");
    assertThat(refusal("one", wanted(2, "inbox")))
        .contains("table handoff.inbox is one of kind = requests, this file says kind = log");
    assertThat(refusal("one", ORDERS)).isEmpty();
    assertThat(refusal("one", requests(2, "inbox"))).isEmpty();
  }

  @Test
  @Tag("smoke")
  void whatAnAdministratorCreatesSufficesForAWorkerThatOwnsNothing() throws Exception {
    try (TestDatabase foreign = TestDatabase.create()) {
      foreign.execute(script(REQUESTS));
      Setup.Row row = OneLog.setUp(TestSessions.patient(foreign, "one"), REQUESTS).get(0);
      assertThat(row.refusal()).isEmpty();
      assertThat(row.payloadLimit()).isEmpty();
      foreign.execute(
          "INSERT INTO handoff.orders (entity_id, request_type)"
              + " SELECT 'x', 'update' FROM generate_series(1, 5)");
      try (RequestSession worker =
          RequestSession.open(
              TestSessions.patient(foreign, "one"), ORDERS.recorder(), 1, RequestSite.UNIT_LIMIT)) {
        worker.takeBack(RequestSite.unit(worker, 1).begun());
        RequestSite.unit(worker, 1).postpone(worker, Duration.ZERO, 10);
        RequestSite.Unit unit = RequestSite.unit(worker, 1);
        worker.settle(
            unit.begun(),
            unit.work(),
            new UnitVerdict.RequestsSettled(List.of(1L), Map.of(2L, "no")));
        RequestSite.unit(worker, 3).complete(worker);
      }
    }
  }

  /** Notices of what is there already, or is not there to be dropped, look like faults. */
  @Test
  void whatAnAdministratorRunsGivesNoNoticesNeitherAtFirstNorAgain() throws Exception {
    try (TestDatabase foreign = TestDatabase.create();
        Connection administrator = foreign.connectAsSuperuser();
        Statement statement = administrator.createStatement()) {
      for (int time = 1; time <= 2; time++) {
        statement.execute(script(ORDERS, requests(2, "inbox")));
        while (statement.getMoreResults() || statement.getUpdateCount() >= 0) {
          // Notices come with the result that they belong to.
        }
        Throwable said = statement.getWarnings();
        assertThat(said).isNull();
      }
    }
  }

  @Test
  void eachRightThatAWorkerLacksIsNamed() throws Exception {
    setUp("one", REQUESTS);
    database.execute(
        "ALTER TABLE handoff.orders OWNER TO postgres",
        "GRANT SELECT ON handoff.orders TO recorder");
    DatabaseException refused = failure(REQUESTS);
    assertThat(refused)
        .hasMessageContaining("GRANT INSERT ON handoff.orders TO recorder;")
        .hasMessageContaining("GRANT UPDATE ON handoff.orders TO recorder;")
        .hasMessageContaining("GRANT DELETE ON handoff.orders TO recorder;");
    database.execute(sqlOf(refused));
    assertThat(refusal("one", REQUESTS)).isEmpty();
  }

  @Test
  @Tag("smoke")
  void aProducerAsksAndSeesWhatHasBecomeOfItAndNoMore() throws Exception {
    database.server().createRole("front_end", TestDatabase.PASSWORD);
    database.execute(
        "DO $$ BEGIN CREATE ROLE recorder_producer NOLOGIN;"
            + " EXCEPTION WHEN duplicate_object THEN NULL; END $$",
        "GRANT recorder_producer TO front_end");
    setUp("one", REQUESTS);
    try (Connection front =
            DriverManager.getConnection(database.jdbcUrl(), "front_end", TestDatabase.PASSWORD);
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
      assertThat(database.one("SELECT count(*) FROM handoff.orders")).isEqualTo("2");
    }
  }

  private static final String LOCK_RELATIONS =
      "SELECT string_agg(relname, ',' ORDER BY relname) FROM pg_class"
          + " WHERE relnamespace = 'recorder'::regnamespace AND relname IN"
          + " ('lock_token', 'lock_name', 'lock_mutex', 'lock_timeout', 'lock_task')";

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

  /** SQL that inserts a payload of so many bytes. */
  private static String insertOf(int bytes) {
    return "INSERT INTO handoff.orders (payload) SELECT to_json(repeat('x', " + (bytes - 2) + "))";
  }

  private List<Setup.Row> setUp(String machine, Setup.WantedRecorder... wanted) {
    return OneLog.setUp(TestSessions.patient(database, machine), wanted);
  }

  private String refusal(String machine, Setup.WantedRecorder wanted) {
    return setUp(machine, wanted).get(0).refusal();
  }

  private DatabaseException failure(Setup.WantedRecorder wanted) {
    return failure(() -> setUp("two", wanted));
  }

  private static DatabaseException failure(ThrowingCallable start) {
    return catchThrowableOfType(DatabaseException.class, start);
  }

  private static String sqlOf(DatabaseException failure) {
    return failure.getMessage().split("run:\n", 2)[1];
  }

  /** What an administrator runs. */
  private static String script(Setup.WantedRecorder... wanted) {
    return new Schema(SchemaNames.DEFAULT)
        .script(TestDatabase.ROLE, Stream.of(wanted).map(Setup.WantedRecorder::table).toList());
  }

  /** What a start says that wants this limit. */
  private String payloadLimit(long maxPayload) {
    return setUp("one", limited(maxPayload)).get(0).payloadLimit();
  }

  private static Setup.WantedRecorder requests(int lockId, String name) {
    return new Setup.WantedRecorder(
        lockId,
        new RecorderName(name),
        RecorderKind.REQUESTS,
        PinnedLayout.ofDocuments("", "b", "p"),
        new Setup.Handoff(16 << 20, false));
  }

  private static Setup.WantedRecorder limited(long maxPayload) {
    return with(new Setup.Handoff(maxPayload, false));
  }

  private static Setup.WantedRecorder ticking() {
    return with(new Setup.Handoff(16 << 20, true));
  }

  private static Setup.WantedRecorder with(Setup.Handoff handoff) {
    return new Setup.WantedRecorder(1, ORDERS.recorder(), ORDERS.kind(), ORDERS.layout(), handoff);
  }
}
