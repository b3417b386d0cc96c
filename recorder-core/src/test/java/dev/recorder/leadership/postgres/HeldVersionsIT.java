package dev.recorder.leadership.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.leadership.ClusterView;
import dev.recorder.postgres.RdsManager;
import dev.recorder.postgres.TestSessions;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.schema.OneLog;
import dev.recorder.schema.Setup;
import dev.recorder.testing.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What the statements of every machine cost while a dump keeps the server from removing what they
 * have written since: counted in pages, which do not depend on how busy the machine is.
 */
class HeldVersionsIT {

  /** Heartbeats of two and a half hours, or slots of one at more than five a second. */
  private static final int VERSIONS = 20_000;

  private TestDatabase database;
  private RdsManager control;
  private Connection dump;

  @BeforeEach
  void start() throws Exception {
    database = TestDatabase.createOwned();
    control = new RdsManager(TestSessions.patient(database, "a"));
    control.connect();
    new Setup(control).run(List.of(OneLog.wanted(1, "orders")));
    control.call(
        connection -> {
          for (String machine : List.of("a", "b", "c")) {
            new Heartbeats(SchemaNames.DEFAULT, machine)
                .register(connection, registration(), control.identity(), Set.of(), Set.of(1));
          }
          return true;
        });
    dump = database.connectAsSuperuser();
    dump.setAutoCommit(false);
    dump.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    ask(dump, "SELECT 1");
  }

  @AfterEach
  void close() throws Exception {
    dump.close();
    control.close();
    database.close();
  }

  @Test
  void theWatchReadsNoOldVersionsOfMachinesOrRecorders() throws Exception {
    long before = control.call(WatchCost::pages);
    // The server ends a session that asks nothing for a minute, and a busy one writes for longer.
    control.disconnect("a pause");

    writeAgainAndAgain();

    control.connect();
    assertThat(before).isLessThan(WatchCost.A_FEW_PAGES);
    assertThat(control.call(WatchCost::pages)).isLessThan(WatchCost.A_FEW_PAGES);
    ClusterView view = control.call(c -> new WatchStatement(SchemaNames.DEFAULT).on(c, Set.of(1)));
    assertThat(view.machines()).containsOnlyKeys("a", "b", "c");
    assertThat(view.machines().values())
        .allSatisfy(machine -> assertThat(machine.beat()).isEqualTo(1L + VERSIONS));
    assertThat(view.recorders().get(1).epoch()).isEqualTo(1);
  }

  /**
   * One row version each, in transactions of their own as the product writes them; without the keys
   * meanwhile, which would look at all versions before for each.
   */
  private void writeAgainAndAgain() throws SQLException {
    try (Connection connection = database.connectAsSuperuser();
        Statement statement = connection.createStatement()) {
      for (String sql :
          List.of(
              "SET synchronous_commit = off",
              "SET enable_seqscan = off",
              "ALTER TABLE recorder.info_recorders DROP CONSTRAINT info_recorders_pkey",
              "UPDATE recorder.lock_recorders SET epoch = 1, holder = 'a'",
              "DO $$ BEGIN FOR n IN 1.."
                  + VERSIONS
                  + " LOOP UPDATE recorder.info_recorders i SET beat = beat + 1 WHERE ctid = ANY"
                  + " (ARRAY (SELECT (SELECT ctid FROM recorder.info_recorders WHERE name = m"
                  + " ORDER BY beat DESC LIMIT 1) FROM unnest(ARRAY['a', 'b', 'c']) m));"
                  + " UPDATE recorder.lock_recorders SET last_slot = last_slot + 1,"
                  + " settled_at = clock_timestamp() WHERE lock_id = 1; COMMIT; END LOOP; END $$",
              "ALTER TABLE recorder.info_recorders ADD PRIMARY KEY (name)")) {
        statement.execute(sql);
      }
    }
  }

  private static Registration registration() {
    return new Registration(Set.of(1), Set.of(), "test", "hash", Map.of("recorder:orders", "hash"));
  }

  private static String ask(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    }
  }
}
