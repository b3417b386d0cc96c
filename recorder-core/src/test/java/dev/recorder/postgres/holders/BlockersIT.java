package dev.recorder.postgres.holders;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.testing.servers.PostgresServer;
import dev.recorder.testing.servers.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BlockersIT {
  private static final List<String> TABLES = List.of("handoff.of_interest", "handoff.not_there");
  private TestDatabase database;
  private Connection ours;

  @BeforeEach
  void open() throws SQLException {
    database = TestDatabase.createOwned();
    ours = database.connect();
    execute(
        ours,
        "CREATE SCHEMA handoff",
        "CREATE TABLE handoff.of_interest (n int) PARTITION BY LIST (n)",
        "CREATE TABLE handoff.leaf PARTITION OF handoff.of_interest FOR VALUES IN (1)",
        "CREATE TABLE handoff.other (n int)");
  }

  @AfterEach
  void close() throws SQLException {
    ours.close();
    database.close();
  }

  @Test
  void namesTheSessionItsApplicationAndItsTransaction() throws SQLException {
    try (Connection other = database.connect()) {
      int pid = begin(other, "LOCK TABLE handoff.of_interest IN ACCESS EXCLUSIVE MODE");

      assertThat(Blockers.of(ours, TABLES))
          .matches(
              "; blocked by database session "
                  + pid
                  + " \\(a report, role recorder\\) with AccessExclusiveLock on handoff.of_interest,"
                  + " in a transaction since 20\\d\\d-.*: let it end, or end it with"
                  + " pg_terminate_backend\\("
                  + pid
                  + "\\)");
    }
  }

  @Test
  void saysWhatThisRoleMayNotSee() throws SQLException {
    try (Connection other = database.connectAsSuperuser()) {
      begin(other, "LOCK TABLE handoff.leaf IN ACCESS EXCLUSIVE MODE");

      assertThat(Blockers.of(ours, TABLES))
          .contains("(a report, role " + PostgresServer.SUPERUSER + ")", "on handoff.leaf")
          .contains("since a time that only members of pg_read_all_stats may see");
    }
  }

  @Test
  void namesWhoHasWaitedForTheTableBeforeUs() throws Exception {
    try (Connection reader = database.connect();
        Connection waiter = database.connect()) {
      begin(reader, "SELECT FROM handoff.of_interest");
      int pid = begin(waiter, "SELECT");
      Thread waiting =
          new Thread(
              () -> {
                try {
                  execute(waiter, "LOCK TABLE handoff.of_interest IN ACCESS EXCLUSIVE MODE");
                } catch (SQLException ended) {
                  // With the test.
                }
              });
      waiting.start();
      String said = "";
      for (long end = System.nanoTime() + 60_000_000_000L;
          said.isEmpty() && System.nanoTime() < end; ) {
        said = Blockers.of(ours, TABLES);
      }
      assertThat(said).contains("database session " + pid + " ");
      reader.rollback();
      waiting.join();
    }
  }

  @Test
  void saysNothingOfLocksOnOtherTablesAndOfReaders() throws SQLException {
    try (Connection other = database.connect()) {
      begin(other, "LOCK TABLE handoff.other IN ACCESS EXCLUSIVE MODE");
      execute(other, "SELECT FROM handoff.of_interest");
      assertThat(Blockers.of(ours, TABLES)).isEmpty();
    }
  }

  @Test
  void whoDoesNotKnowWhatItWaitedForIsToldOfAllThereIsInASchema() throws SQLException {
    execute(
        ours,
        "CREATE SCHEMA elsewhere",
        "CREATE TABLE elsewhere.part PARTITION OF handoff.of_interest FOR VALUES IN (2)",
        "CREATE TABLE elsewhere.strange (n int)");
    try (Connection other = database.connect()) {
      for (String table : List.of("handoff.other", "handoff.of_interest", "elsewhere.part")) {
        begin(other, "LOCK TABLE ONLY " + table + " IN ACCESS EXCLUSIVE MODE");

        assertThat(ofTheSchema()).contains("with AccessExclusiveLock on " + table);
        other.rollback();
      }
      begin(other, "LOCK TABLE elsewhere.strange IN ACCESS EXCLUSIVE MODE");

      assertThat(ofTheSchema()).isEmpty();
    }
  }

  /** Who has inserted rows is in the way of nobody who reads, and must not be told to be. */
  @Test
  void ofAllThereIsInASchemaWritersAreNamedOnlyWhereARowMayHaveBeenWaitedFor() throws Exception {
    try (Connection producer = database.connect();
        Connection other = database.connect()) {
      begin(producer, "INSERT INTO handoff.of_interest VALUES (1)");
      int pid = begin(other, "INSERT INTO handoff.other VALUES (1)");
      String nobody = ofTheSchema();
      // A writer counts when its transaction has lasted for a second.
      await()
          .untilAsserted(
              () ->
                  assertThat(ofTheSchema("handoff.other"))
                      .contains("database session " + pid + " "));

      assertThat(nobody).isEmpty();
      assertThat(ofTheSchema()).isEmpty();
    }
  }

  /** It has no session: what it holds is told by the number of its transaction. */
  @Test
  void namesAPreparedTransaction() throws SQLException {
    try (Connection other = database.connect()) {
      begin(other, "LOCK TABLE handoff.leaf IN EXCLUSIVE MODE");
      execute(other, "PREPARE TRANSACTION 'half of it'");

      assertThat(Blockers.of(ours, TABLES))
          .matches(
              "; blocked by the prepared transaction 'half of it' with ExclusiveLock on"
                  + " handoff.leaf, in a transaction since 20\\d\\d-.*: COMMIT PREPARED or ROLLBACK"
                  + " PREPARED it");
    } finally {
      execute(ours, "ROLLBACK PREPARED 'half of it'");
    }
  }

  /** For who waited for something in the schema, or for a row of a table that it wrote to. */
  private String ofTheSchema(String... written) throws SQLException {
    return Blockers.inSchemas(ours, List.of("handoff"), List.of(written));
  }

  /** In a transaction; the session's number. */
  private static int begin(Connection connection, String sql) throws SQLException {
    connection.setAutoCommit(false);
    execute(connection, "SET application_name = 'a report'", sql);
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT pg_backend_pid()")) {
      row.next();
      return row.getInt(1);
    }
  }

  private static void execute(Connection connection, String... statements) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }
}
