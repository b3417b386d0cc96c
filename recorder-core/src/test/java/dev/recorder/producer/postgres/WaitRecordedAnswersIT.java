package dev.recorder.producer.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.handoff.Position;
import dev.recorder.handoff.Snapshot;
import dev.recorder.postgres.TestSessions;
import dev.recorder.schema.OneLog;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code recorder.wait_recorded} says of positions and of recorders that nobody runs. */
class WaitRecordedAnswersIT {
  private static ProducedLog log;
  private Connection connection;

  @BeforeAll
  static void setUp() throws Exception {
    log = new ProducedLog();
    OneLog.setUp(TestSessions.patient(log.database, "setup"), OneLog.wanted(1, ProducedLog.LAYOUT));
  }

  @AfterAll
  static void close() throws Exception {
    log.close();
  }

  @BeforeEach
  void connect() throws Exception {
    connection = log.connect();
    // As if a machine were active.
    log.database.execute(
        "TRUNCATE recorder.slots, recorder.info_recorders",
        "INSERT INTO recorder.info_recorders (name, update_time, num_primary, num_secondary, pid,"
            + " backend_start, version, config_hash)"
            + " VALUES ('host-a', clock_timestamp(), 1, 0, 1, now(), '', '')",
        "UPDATE recorder.lock_recorders SET holder = 'host-a', paused_until = NULL, kind = 'log',"
            + " done_snapshot = '3:3:', open_snapshot = NULL, open_xid = NULL, open_id = NULL");
  }

  @AfterEach
  void disconnect() throws Exception {
    connection.close();
  }

  // ---- errors

  @ParameterizedTest
  @CsvSource({
    "'NULL, ''100'', ''1s''', 22004",
    "'''orders'', NULL, ''1s''', 22004",
    "'''orders'', ''100'', NULL', 22004",
    "'''orders'', ''100'', ''-1s''', 22023",
    "'''orders'', ''100'', ''11 minutes''', 22023",
    "'''orders'', ''2'', ''1s''', 22023",
    "'''orders'', ''9000000000'', ''1s''', RW005",
    "'''others'', :committed, ''1s''', 42704",
  })
  @Tag("smoke")
  void whatMakesNoSenseIsRefusedAtOnce(String arguments, String state) throws Exception {
    String committed = "'" + log.commit(1) + "'";
    assertRefused(arguments.replace(":committed", committed), state);
  }

  @Test
  void aRecorderOfRequestsHasNothingToWaitFor() throws Exception {
    log.database.execute("UPDATE recorder.lock_recorders SET kind = 'requests'");

    assertRefused("'orders', '" + log.commit(1) + "'", "42809");
  }

  @Test
  @Tag("smoke")
  void theTransactionThatAsksIsToldToCommitFirst() throws Exception {
    connection.setAutoCommit(false);
    long xid = new LogClient("handoff", "orders").append(connection, "k", "{}");

    assertThatThrownBy(() -> ProducedLog.ask(connection, "'orders', '" + xid + "'"))
        .hasMessageContaining(xid + " is the one that asks")
        .hasMessageContaining("Commit it first")
        .extracting(e -> ((SQLException) e).getSQLState())
        .isEqualTo("RW001");
  }

  @Test
  void anotherTransactionThatIsOpenOrPreparedIsNotWaitedFor() throws Exception {
    try (Connection other = log.connect()) {
      other.setAutoCommit(false);
      long xid = new LogClient("handoff", "orders").append(other, "k", "{}");
      assertRefused("'orders', '" + xid + "'", "RW001");

      try (Statement statement = other.createStatement()) {
        statement.execute("PREPARE TRANSACTION 'waits'");
        assertRefused("'orders', '" + xid + "'", "RW001");
        other.setAutoCommit(true);
        statement.execute("ROLLBACK PREPARED 'waits'");
      }
      assertRefused("'orders', '" + xid + "'", "RW002");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE})
  void aTransactionThatSeesNothingNewIsNotLetWait(int isolation) throws Exception {
    long xid = log.commit(1);
    connection.setAutoCommit(false);
    connection.setTransactionIsolation(isolation);

    assertRefused("'orders', '" + xid + "'", "25000");
  }

  // ---- who runs it

  @Test
  void whileAMachineBeatsATimeoutIsNoError() throws Exception {
    assertThat(ProducedLog.ask(connection, "'orders', '" + log.commit(1) + "', '50ms'"))
        .isEqualTo("f");
  }

  @Test
  void aHolderThatIsSilentForLongIsNamedWhenTimeIsUp() throws Exception {
    log.database.execute("UPDATE recorder.info_recorders SET update_time = now() - interval '11s'");

    assertThatThrownBy(
            () -> ProducedLog.ask(connection, "'orders', '" + log.commit(1) + "', '50ms'"))
        .hasMessageContaining("no host runs recorder orders: host-a holds it")
        .extracting(e -> ((SQLException) e).getSQLState())
        .isEqualTo("RW003");
  }

  @Test
  void aRecorderThatNobodyHoldsIsOneThatNobodyRunsUnlessItWasReleasedJustNow() throws Exception {
    long xid = log.commit(1);
    String arguments = "'orders', '" + xid + "', '50ms'";
    log.database.execute("UPDATE recorder.lock_recorders SET holder = NULL");
    assertThatThrownBy(() -> ProducedLog.ask(connection, arguments))
        .hasMessageContaining("no host holds it, and none ever did");

    log.database.execute("UPDATE recorder.lock_recorders SET released_at = clock_timestamp()");
    assertThat(ProducedLog.ask(connection, arguments)).isEqualTo("f");
    log.database.execute("UPDATE recorder.lock_recorders SET released_at = NULL");
  }

  @Test
  void aPauseIsNamedWhenTimeIsUp() throws Exception {
    log.database.execute(
        "UPDATE recorder.lock_recorders SET paused_until = now() + interval '1 hour',"
            + " pause_reason = 'the bucket is moved'");

    assertThatThrownBy(
            () -> ProducedLog.ask(connection, "'orders', '" + log.commit(1) + "', '50ms'"))
        .hasMessageContaining("the bucket is moved")
        .extracting(e -> ((SQLException) e).getSQLState())
        .isEqualTo("RW004");
  }

  // ---- positions

  @Test
  @Tag("smoke")
  void anOpenWindowHasRecordedTheTransactionsBeforeTheOneThatItStandsIn() throws Exception {
    long first = log.commit(1);
    long second = log.commit(1);
    long third = log.commit(1);
    String done = "%1$s:%1$s:".formatted(first);
    String open = "%1$s:%1$s:".formatted(third);
    log.database.execute(
        "UPDATE recorder.lock_recorders SET done_snapshot = '%s', open_snapshot = '%s',"
                .formatted(done, open)
            + " open_xid = '%s', open_id = 1".formatted(second));
    Position position = new Position(Snapshot.parse(done), Snapshot.parse(open), second, 1);

    assertThat(ProducedLog.ask(connection, "'orders', '" + (first - 1) + "', '0'")).isEqualTo("t");
    for (long xid : new long[] {first, second, third}) {
      assertThat(ProducedLog.ask(connection, "'orders', '" + xid + "', '0'"))
          .as("%s of %s, %s, %s", xid, first, second, third)
          .isEqualTo(xid == first ? "t" : "f")
          .isEqualTo(position.hasRecorded(xid) ? "t" : "f");
    }
  }

  @Test
  void aTransactionThatWasRunningWhenTheRestWasRecordedIsNot() throws Exception {
    long running = log.commit(1);
    long next = log.commit(1) + 1;
    log.database.execute(
        "UPDATE recorder.lock_recorders SET done_snapshot = '%s:%s:%s'"
            .formatted(running, next, running));

    assertThat(ProducedLog.ask(connection, "'orders', '" + running + "', '0'")).isEqualTo("f");
    assertThat(ProducedLog.ask(connection, "'orders', '" + (next - 1) + "', '0'")).isEqualTo("t");
  }

  @Test
  void aPositionThatThisServerHasNotReachedSaysNothing() throws Exception {
    log.database.execute(
        "UPDATE recorder.lock_recorders SET done_snapshot = '9000000000:9000000000:'");

    assertRefused("'orders', '" + log.commit(1) + "', '0'", "RW005");
  }

  @Test
  void aSlotThatCameWithADumpMakesThePositionSayNothing() throws Exception {
    String reaches = Long.toString(log.commit(1) + 5);
    slotThatReaches(reaches);
    while (log.commit(1) < Long.parseLong(reaches) + 2) {
      // Until this server has given out the numbers that the other had.
    }
    log.database.execute(
        "UPDATE recorder.lock_recorders SET done_snapshot = '%1$s:%1$s:'".formatted(reaches));
    String transaction = "'orders', '" + (Long.parseLong(reaches) - 1) + "', '0'";
    assertRefused(transaction, "RW005");

    log.database.execute("TRUNCATE recorder.slots");
    slotThatReaches(reaches);
    assertThat(ProducedLog.ask(connection, transaction)).isEqualTo("t");
  }

  private static void slotThatReaches(String xid) throws SQLException {
    log.database.execute(
        "INSERT INTO recorder.slots VALUES (1, 1, '', 1, '', '3:3:', '%1$s:%1$s:', true, 1, '3',"
                .formatted(xid)
            + " 1, '3', 1, 1, now())");
  }

  // ----

  private void assertRefused(String arguments, String state) {
    assertThatThrownBy(() -> ProducedLog.ask(connection, arguments))
        .as(arguments)
        .extracting(e -> ((SQLException) e).getSQLState())
        .isEqualTo(state);
  }
}
