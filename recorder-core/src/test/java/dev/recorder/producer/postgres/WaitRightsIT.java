package dev.recorder.producer.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.postgres.TestSessions;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.schema.OneLog;
import dev.recorder.schema.Schema;
import dev.recorder.testing.servers.TestDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Who makes {@code recorder.wait_recorded}, and who may call it. */
class WaitRightsIT {
  private ProducedLog log;
  private Connection connection;

  @BeforeEach
  void create() throws Exception {
    log = new ProducedLog();
    OneLog.setUp(TestSessions.patient(log.database, "setup"), OneLog.wanted(1, ProducedLog.LAYOUT));
    log.database.execute("UPDATE recorder.lock_recorders SET released_at = clock_timestamp()");
    connection = log.connect();
  }

  @AfterEach
  void close() throws Exception {
    connection.close();
    log.close();
  }

  @Test
  @Tag("smoke")
  void aProducerMayAskAndNothingElse() throws Exception {
    for (String forbidden :
        new String[] {
          "SELECT layout FROM recorder.lock_recorders",
          "SELECT * FROM recorder.lock_recorders",
          "UPDATE recorder.lock_recorders SET holder = NULL",
          "SELECT sha256 FROM recorder.slots",
          "SELECT pid FROM recorder.info_recorders",
          "SELECT * FROM recorder.takeovers",
          "SELECT * FROM handoff.orders",
          "CREATE TABLE recorder.mine ()",
          "CREATE OR REPLACE FUNCTION recorder.wait_recorded(name text, xid xid8, timeout interval"
              + " DEFAULT '1 minute') RETURNS boolean LANGUAGE sql AS 'SELECT true'"
        }) {
      assertThatThrownBy(() -> run(connection, forbidden))
          .as(forbidden)
          .extracting(e -> ((SQLException) e).getSQLState())
          .isEqualTo("42501");
    }
  }

  @Test
  void withoutTheFunctionAMachineStartsAndTheAdministratorsScriptBringsIt() throws Exception {
    log.database.execute("DROP FUNCTION recorder.wait_recorded");
    OneLog.setUp(TestSessions.patient(log.database, "setup"), OneLog.wanted(1, ProducedLog.LAYOUT));
    assertThatThrownBy(() -> ProducedLog.ask(connection, "'orders', '100'"))
        .extracting(e -> ((SQLException) e).getSQLState())
        .isEqualTo("42883");

    log.database.execute(new Schema(SchemaNames.DEFAULT).script(TestDatabase.ROLE, List.of()));
    assertThat(ProducedLog.ask(connection, "'orders', '" + log.commit(1) + "', '0'"))
        .isEqualTo("f");
  }

  @Test
  @Tag("smoke")
  void aMachineThatOwnsItsTablesMakesTheFunctionForProducers() throws Exception {
    try (TestDatabase owned = TestDatabase.createOwned()) {
      OneLog.setUp(TestSessions.patient(owned, "setup"), OneLog.wanted(1, ProducedLog.LAYOUT));
      owned.execute("UPDATE recorder.lock_recorders SET released_at = clock_timestamp()");
      try (Connection producer =
          DriverManager.getConnection(
              owned.jdbcUrl(), ProducedLog.PRODUCER, TestDatabase.PASSWORD)) {
        long xid = ProducedLog.commit(producer, 1);
        producer.setAutoCommit(true);
        assertThat(ProducedLog.ask(producer, "'orders', '" + xid + "', '0'")).isEqualTo("f");
      }
    }
  }

  private static void run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
