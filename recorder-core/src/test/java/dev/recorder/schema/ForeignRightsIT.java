package dev.recorder.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.handoff.RecorderKind;
import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.TestSessions;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.testing.servers.PostgresServer;
import dev.recorder.testing.servers.TestDatabase;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What others may do with what the script makes, on a server of the test's own. */
class ForeignRightsIT {
  private static final String SCRIPT =
      new Schema(SchemaNames.DEFAULT)
          .script(
              TestDatabase.ROLE,
              List.of(
                  new HandoffTable(new RecorderName("orders"), RecorderKind.LOG, 16 << 20),
                  new HandoffTable(new RecorderName("accounts"), RecorderKind.REQUESTS, 16 << 20)));

  private PostgresServer server;
  private TestDatabase database;

  @BeforeEach
  void create() throws SQLException {
    server = PostgresServer.start();
    database = TestDatabase.createOn(server, PostgresServer.SUPERUSER);
    database.execute("CREATE ROLE app");
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  private List<String> faults() throws SQLException {
    try (Connection connection = TestSessions.patient(database, "one").openForQueries()) {
      return new ForeignRights(SchemaNames.DEFAULT).faults(connection);
    }
  }

  /** What a role may beside reading, of all that there is. */
  private List<String> rightsOfApp() throws SQLException {
    return database.query(
        """
        SELECT c.oid::regclass || ' ' || a.privilege_type
        FROM pg_class c CROSS JOIN LATERAL aclexplode(c.relacl) a
        WHERE a.grantee = 'app'::regrole AND a.privilege_type <> 'SELECT'
        UNION ALL
        SELECT p.oid::regprocedure || ' ' || a.privilege_type
        FROM pg_proc p CROSS JOIN LATERAL aclexplode(p.proacl) a
        WHERE a.grantee = 'app'::regrole AND p.prosecdef
        UNION ALL
        SELECT n.nspname || ' ' || a.privilege_type
        FROM pg_namespace n CROSS JOIN LATERAL aclexplode(n.nspacl) a
        WHERE a.grantee = 'app'::regrole AND a.privilege_type <> 'USAGE'
        """,
        row -> row.getString(1));
  }

  @Test
  void whatARoleGivesByDefaultIsTakenBackOfWhatTheScriptMakes() throws Exception {
    database.execute(
        "ALTER DEFAULT PRIVILEGES GRANT ALL ON TABLES TO app",
        "ALTER DEFAULT PRIVILEGES GRANT ALL ON SEQUENCES TO app",
        "ALTER DEFAULT PRIVILEGES GRANT EXECUTE ON FUNCTIONS TO app",
        "ALTER DEFAULT PRIVILEGES GRANT ALL ON SCHEMAS TO app",
        "CREATE TABLE before (id bigint GENERATED ALWAYS AS IDENTITY)");

    database.execute(SCRIPT);

    assertThat(rightsOfApp()).isNotEmpty().allMatch(right -> right.startsWith("before"));
    assertThat(database.one("SELECT has_table_privilege('app', 'handoff.orders', 'SELECT')"))
        .isEqualTo("t");
    assertThat(faults()).isEmpty();
  }

  @Test
  void soItIsOfWhatIsThereAlready() throws Exception {
    database.execute(
        SCRIPT, "ALTER DEFAULT PRIVILEGES IN SCHEMA recorder GRANT ALL ON TABLES TO app");
    database.execute("GRANT UPDATE ON recorder.slots TO app");

    database.execute(SCRIPT);

    assertThat(rightsOfApp()).isEmpty();
  }

  @Test
  void whatIsLeftIsNamedWithItsRemedy() throws Exception {
    database.execute(
        SCRIPT,
        "GRANT INSERT (key, payload) ON handoff.orders TO app",
        "GRANT SELECT ON ALL TABLES IN SCHEMA recorder TO app");
    assertThat(faults()).isEmpty();

    database.execute(
        "GRANT UPDATE ON recorder.slots TO app",
        "GRANT DELETE ON handoff.accounts TO recorder_producer",
        "GRANT USAGE ON SEQUENCE handoff.orders_id_seq TO PUBLIC",
        "GRANT TRUNCATE ON recorder.%s TO app".formatted(leaf()),
        "GRANT CREATE ON SCHEMA handoff TO app",
        "GRANT EXECUTE ON FUNCTION recorder.read_document(text) TO app");

    List<String> faults = faults();

    assertThat(faults)
        .containsExactlyInAnyOrder(
            "role app has UPDATE on recorder.slots: run REVOKE UPDATE ON recorder.slots FROM app;",
            "role recorder_producer has DELETE on handoff.accounts: run REVOKE DELETE ON"
                + " handoff.accounts FROM recorder_producer;",
            "everybody has USAGE on handoff.orders_id_seq: run REVOKE USAGE ON SEQUENCE"
                + " handoff.orders_id_seq FROM PUBLIC;",
            "role app has TRUNCATE on recorder.%1$s: run REVOKE TRUNCATE ON recorder.%1$s FROM app;"
                .formatted(leaf()),
            "role app has CREATE on schema handoff: run REVOKE CREATE ON SCHEMA handoff FROM app;",
            "role app has EXECUTE on function recorder.read_document(text): run REVOKE EXECUTE ON"
                + " FUNCTION recorder.read_document(text) FROM app;");
    for (String fault : faults) {
      database.execute(fault.replaceFirst(".*: run ", ""));
    }
    assertThat(faults()).isEmpty();
  }

  /** A cascade to a table of others runs their triggers, with hosts' rights up to PostgreSQL 17. */
  @Test
  void whoRefersToATableOrMayDoSoIsNamed() throws Exception {
    database.execute(
        SCRIPT,
        "CREATE SCHEMA own AUTHORIZATION app",
        "GRANT USAGE ON SCHEMA recorder, handoff TO app",
        "GRANT REFERENCES ON recorder.lock_task TO app",
        "GRANT REFERENCES (id) ON handoff.accounts TO app",
        "GRANT REFERENCES (name) ON recorder.info_recorders TO app",
        "SET ROLE app",
        "CREATE TABLE own.t (r text REFERENCES recorder.info_recorders ON DELETE CASCADE)",
        "RESET ROLE",
        "REVOKE REFERENCES (name) ON recorder.info_recorders FROM app",
        "CREATE TABLE ours (r text REFERENCES recorder.info_recorders)");

    List<String> faults = faults();

    assertThat(faults)
        .containsExactlyInAnyOrder(
            "role app has REFERENCES on recorder.lock_task: run REVOKE REFERENCES ON"
                + " recorder.lock_task FROM app;",
            "role app has REFERENCES (id) on handoff.accounts: run REVOKE REFERENCES (id) ON"
                + " handoff.accounts FROM app;",
            "own.t of role app refers to recorder.info_recorders: run ALTER TABLE own.t DROP"
                + " CONSTRAINT t_r_fkey;");
    for (String fault : faults) {
      database.execute(fault.replaceFirst(".*: run ", ""));
    }
    assertThat(faults()).isEmpty();
  }

  private static String leaf() {
    return SchemaNames.leaf(new RecorderName("orders"), 0);
  }
}
