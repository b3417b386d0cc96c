package dev.recorder.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.handoff.RecorderKind;
import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.TestSessions;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.testing.servers.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What an administrator runs once more holds nobody up, however far away they are. */
class ScriptLocksIT {
  private static final List<HandoffTable> TABLES =
      List.of(
          new HandoffTable(new RecorderName("orders"), RecorderKind.LOG, 1_000),
          new HandoffTable(new RecorderName("jobs"), RecorderKind.REQUESTS, 1_000));

  private static final String SCRIPT =
      new Schema(SchemaNames.DEFAULT).script(TestDatabase.ROLE, TABLES);

  private TestDatabase database;

  @BeforeEach
  void create() throws SQLException {
    database = TestDatabase.create();
    database.execute(SCRIPT);
  }

  @AfterEach
  void drop() throws SQLException {
    database.close();
  }

  @Test
  void beforeItsEndMachinesBeatAndSettleAndProducersInsert() throws SQLException {
    try (Connection administrator = database.connectAsSuperuser();
        Statement script = administrator.createStatement()) {
      // As if the last answer of each transaction took long.
      script.execute(SCRIPT.replace("COMMIT;", ""));

      database.execute(
          "SET lock_timeout = '1s'",
          "UPDATE recorder.info_recorders SET beat = beat + 1",
          "UPDATE recorder.lock_recorders SET last_slot = last_slot + 1, chain = ''",
          "UPDATE recorder.incumbents SET faults = 0",
          "INSERT INTO recorder.slots SELECT * FROM recorder.slots",
          "INSERT INTO recorder.pauses (lock_id, recorder, os_user) VALUES (1, 'orders', 'me')",
          "DELETE FROM recorder.operator_orders",
          "DELETE FROM recorder.lock_task",
          "INSERT INTO handoff.orders (payload) VALUES ('{}')",
          "INSERT INTO handoff.jobs (entity_id) VALUES ('x')",
          "UPDATE handoff.jobs SET begun_at = now()");
    }
    assertThat(database.number("SELECT count(*) FROM handoff.orders")).isEqualTo(1);
  }

  @Test
  void eachRecordersTableIsATransactionOfItsOwn() throws SQLException {
    try (Connection producer = database.connectAsSuperuser();
        Statement statement = producer.createStatement()) {
      database.execute(
          "ALTER TABLE handoff.orders DROP CONSTRAINT payload_within_max_payload",
          "ALTER TABLE handoff.jobs DROP CONSTRAINT payload_within_max_payload");
      producer.setAutoCommit(false);
      statement.execute("INSERT INTO handoff.jobs (entity_id) VALUES ('x')");

      assertThatThrownBy(() -> database.execute(SCRIPT)).hasMessageContaining("lock timeout");
    }
    assertThat(
            database.number(
                "SELECT count(*) FROM pg_constraint WHERE conname = 'payload_within_max_payload'"
                    + " AND conrelid = 'handoff.orders'::regclass"))
        .isEqualTo(1);
  }

  @Test
  void whatIsMissingOrOtherwiseIsMade() throws SQLException {
    database.execute(
        "DROP INDEX recorder.info_recorders_latest, handoff._jobs_new, handoff.orders_xid_id",
        "DROP TRIGGER incumbent_changed ON recorder.lock_recorders",
        """
        CREATE TRIGGER incumbent_changed AFTER UPDATE OF holder ON recorder.lock_recorders
        FOR EACH ROW EXECUTE FUNCTION recorder.incumbent_changed()
        """);

    database.execute(SCRIPT);

    assertThat(
            database.number(
                "SELECT count(*) FROM pg_class WHERE relname"
                    + " IN ('info_recorders_latest', '_jobs_new', 'orders_xid_id')"))
        .isEqualTo(3);
    database.execute(
        "INSERT INTO recorder.lock_recorders (lock_id, recorder, layout) VALUES (1, 'orders',"
            + " '{}')",
        "UPDATE recorder.lock_recorders SET faults = 7");
    assertThat(database.number("SELECT faults FROM recorder.incumbents")).isEqualTo(7);
  }

  @Test
  void anOwnerWhoMayMakeNoRolesRunsItOnceMore() throws SQLException {
    Schema schema = new Schema(SchemaNames.DEFAULT);
    try (TestDatabase owned = TestDatabase.createOwned()) {
      OneLog.setUp(TestSessions.patient(owned, "one"), OneLog.wanted(1, "orders"));
      owned.execute(
          "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I OWNER TO postgres', current_database());"
              + " END $$");
      owned.execute(schema.roles(TestDatabase.ROLE));
      try (Connection owner = owned.connect();
          Statement script = owner.createStatement()) {
        script.execute(schema.script(TestDatabase.ROLE, TABLES));

        assertThat((Object) script.getWarnings()).isNull();
      }
      assertThat(owned.number("SELECT count(*) FROM handoff.jobs")).isZero();
    }
  }

  @Test
  void aTriggerThatIsOffIsOnAgain() throws SQLException {
    database.execute("ALTER TABLE recorder.lock_recorders DISABLE TRIGGER incumbent_changed");

    database.execute(SCRIPT);

    assertThat(database.one("SELECT tgenabled FROM pg_trigger WHERE tgname = 'incumbent_changed'"))
        .isEqualTo("O");
  }
}
