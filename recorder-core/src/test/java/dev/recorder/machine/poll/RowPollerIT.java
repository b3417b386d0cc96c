package dev.recorder.machine.poll;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.TestSessions;
import dev.recorder.testing.servers.TestDatabase;
import dev.recorder.time.FatalErrorHandler;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Rows on a real server, and who is told of them. */
class RowPollerIT {
  private static final RecorderName ORDERS = new RecorderName("orders");
  private static final String INSERT = "INSERT INTO handoff.orders (payload) VALUES ('{}')";

  private TestDatabase database;
  private Connection application;
  private RowPoller poller;
  private WaitingReader reader;

  @BeforeEach
  void open() throws SQLException {
    database = TestDatabase.createOwned();
    application = database.connect();
    run(application, "CREATE SCHEMA handoff", "CREATE TABLE other (n int)");
    makeTable();
    poller = new RowPoller(TestSessions.patient(database, "host-a"), FatalErrorHandler.OF_PROCESS);
    reader = new WaitingReader(database, poller, ORDERS);
    reader.awaitQuiet();
  }

  @AfterEach
  void close() throws Exception {
    reader.close();
    poller.close();
    application.close();
    database.close();
  }

  @Test
  void aRowIsToldOf() throws Exception {
    run(application, INSERT);

    reader.awaitRows(1);
  }

  @Test
  void aRowOfATransactionThatDrewItsIdLongBeforeIsToldOfWhenItCommits() throws Exception {
    try (Connection slow = database.connect()) {
      slow.setAutoCommit(false);
      run(slow, INSERT);
      reader.awaitQuiet();
      assertThat(reader.rows()).isZero();

      slow.commit();
      reader.awaitRows(1);
    }
  }

  /** It can only be told by its number: its id was drawn, and the counter seen, before. */
  @Test
  void aRowIsToldOfThatIsCommittedAmongManyOthersOfOtherTables() throws Exception {
    try (Connection slow = database.connect()) {
      slow.setAutoCommit(false);
      run(slow, INSERT);
      reader.awaitQuiet();
      int before = reader.reads();
      for (int n = 0; n < 500; n++) {
        run(application, "INSERT INTO other VALUES (1)");
      }
      reader.awaitLooks(3);
      assertThat(reader.reads()).as("reads for nothing").isLessThanOrEqualTo(before + 1);

      slow.commit();
      reader.awaitRows(1);
    }
  }

  @Test
  void aRowThatWasPreparedIsToldOfAfterItsSecondPhase() throws Exception {
    try (Connection prepared = database.connect()) {
      prepared.setAutoCommit(false);
      run(prepared, INSERT, "PREPARE TRANSACTION 'told-of'");
    }
    reader.awaitQuiet();

    run(application, "COMMIT PREPARED 'told-of'");
    reader.awaitRows(1);
  }

  @Test
  void aRowIsToldOfAfterOthersWereRolledBack() throws Exception {
    run(application, "BEGIN", INSERT, "ROLLBACK");
    reader.awaitQuiet();
    assertThat(reader.rows()).isZero();

    run(application, INSERT);
    reader.awaitRows(1);
  }

  @Test
  void whatAProducerNotifiesIsHeard() throws Exception {
    int before = reader.reads();

    run(application, "NOTIFY handoff_orders");

    await().until(() -> reader.reads() > before);
  }

  /** Ids are then drawn before they are used, and the counter says nothing of it. */
  @Test
  void rowsOfACounterThatIsCachedAreLookedForAllTheSame() throws Exception {
    run(application, "ALTER SEQUENCE handoff.orders_id_seq CACHE 50", INSERT);
    reader.awaitRows(1);

    run(application, INSERT);
    reader.awaitRows(2);
  }

  @Test
  void rowsOfATableThatWasReplacedAreToldOf() throws Exception {
    run(application, "ALTER TABLE handoff.orders RENAME TO before");
    makeTable();
    run(application, INSERT, INSERT, INSERT);

    reader.awaitRows(3);
  }

  @Test
  void rowsAreLookedForWhileSomebodyHasLockedACounter() throws Exception {
    try (Connection owner = database.connect()) {
      owner.setAutoCommit(false);
      run(owner, "CREATE TABLE handoff.invoices (id bigint GENERATED ALWAYS AS IDENTITY)");
      owner.commit();
      try (WaitingReader invoices =
          new WaitingReader(database, poller, new RecorderName("invoices"))) {
        invoices.awaitQuiet();
        run(owner, "ALTER SEQUENCE handoff.invoices_id_seq RESTART");
        run(application, INSERT);

        reader.awaitRows(1);
        owner.rollback();
      }
    }
  }

  @Test
  void rowsAreToldOfAfterTheSessionWasEnded() throws Exception {
    try (Connection administrator = database.connectAsSuperuser()) {
      run(
          administrator,
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
              + " WHERE application_name = 'recorder/host-a/listen'");
    }
    run(application, INSERT);

    reader.awaitRows(1);
  }

  private void makeTable() throws SQLException {
    run(
        application,
        "CREATE TABLE handoff.orders (id bigint GENERATED ALWAYS AS IDENTITY,"
            + " xid xid8 NOT NULL DEFAULT pg_current_xact_id(), payload json)");
  }

  private static void run(Connection connection, String... statements) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }
}
