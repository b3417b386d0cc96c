package dev.recorder.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.operate.rebase.RebaseSite;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which rows a hand-off table turns away. */
class TableCheckIT {
  private static final String FOREIGN =
      "INSERT INTO handoff.orders (xid, payload) VALUES ('99999999', '{}')";

  private RebaseSite site;

  @BeforeEach
  void createTables() throws Exception {
    site = RebaseSite.prepared();
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
}
