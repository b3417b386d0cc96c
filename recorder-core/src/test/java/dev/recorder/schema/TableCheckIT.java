package dev.recorder.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.operate.RebaseSite;
import dev.recorder.testing.MemoryStore;
import dev.recorder.testing.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which rows a hand-off table turns away, also one of an earlier version. */
class TableCheckIT {
  private static final String FOREIGN =
      "INSERT INTO handoff.orders (xid, payload) VALUES ('99999999', '{}')";

  private RebaseSite site;

  @BeforeEach
  void createTables() throws Exception {
    site = new RebaseSite(PostgresServer.shared(), new MemoryStore()).createTables();
  }

  @AfterEach
  void dropDatabase() throws Exception {
    site.close();
  }

  @Test
  void anOrdinaryRoleMayNot() {
    assertThatThrownBy(() -> site.run(FOREIGN)).hasMessageContaining("xid_is_own");
    assertThatThrownBy(() -> site.run("SET session_replication_role = replica", FOREIGN))
        .hasMessageContaining("permission denied");
  }

  @Test
  void aReplicationMay() throws Exception {
    site.database.execute("SET session_replication_role = replica", FOREIGN);

    assertThat(site.ask("SELECT xid FROM handoff.orders")).containsExactly("99999999");
  }

  @Test
  void aKeyHasALimitThatItsErrorNames() throws Exception {
    site.run("INSERT INTO handoff.orders (key, payload) SELECT repeat('é', 4096), '{}'");

    assertThatThrownBy(
            () ->
                site.run(
                    "INSERT INTO handoff.orders (key, payload) SELECT repeat('é', 4097), '{}'"))
        .hasMessageContaining("key_within_8192_bytes");
  }

  @Test
  void aTableOfAnEarlierVersionGetsTheLimitOfKeysAndKeepsTheRowsItHas() throws Exception {
    site.run("ALTER TABLE handoff.orders DROP CONSTRAINT key_within_8192_bytes");
    site.run("INSERT INTO handoff.orders (key, payload) SELECT repeat('k', 9000), '{}'");

    site.setUp();

    assertThat(site.ask("SELECT length(key) FROM handoff.orders")).containsExactly("9000");
    aKeyHasALimitThatItsErrorNames();
  }

  @Test
  void theStartOfAMachineReplacesTheCheckOfAnEarlierVersion() throws Exception {
    makeOld();

    site.setUp();

    assertThat(check()).contains("session_replication_role");
    anOrdinaryRoleMayNot();
  }

  @Test
  void soDoesTheSchemaThatAnAdministratorRunsOnceMore() throws Exception {
    makeOld();

    site.createTables();

    assertThat(check()).contains("session_replication_role");
  }

  @Test
  void whileATransactionHoldsTheTableTheOldOneStaysAndTheMachineStarts() throws Exception {
    makeOld();
    try (Connection other = site.database.connect();
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("INSERT INTO handoff.orders (payload) VALUES ('{}')");

      assertThat(site.setUp()).isEmpty();

      assertThat(check()).doesNotContain("session_replication_role");
    }
  }

  @Test
  void aTableThatTheRoleDoesNotOwnKeepsTheOldOneAndTheMachineStarts() throws Exception {
    makeOld();
    site.database.execute(
        "ALTER TABLE handoff.orders OWNER TO postgres",
        "GRANT SELECT, INSERT ON handoff.orders TO recorder");

    assertThat(site.setUp()).isEmpty();

    assertThat(check()).doesNotContain("session_replication_role");
  }

  @Test
  void aCheckThatSomebodyHasDroppedStaysDropped() throws Exception {
    site.run("ALTER TABLE handoff.orders DROP CONSTRAINT xid_is_own");

    site.setUp();

    assertThat(check()).isEmpty();
  }

  private void makeOld() throws SQLException {
    site.run(
        "ALTER TABLE handoff.orders DROP CONSTRAINT xid_is_own, ADD CONSTRAINT xid_is_own"
            + " CHECK (xid = pg_current_xact_id() OR xid < '4') NOT VALID");
  }

  private String check() throws SQLException {
    return String.join(
        "",
        site.ask(
            "SELECT pg_get_constraintdef(oid) FROM pg_constraint"
                + " WHERE conrelid = 'handoff.orders'::regclass AND conname = 'xid_is_own'"));
  }
}
