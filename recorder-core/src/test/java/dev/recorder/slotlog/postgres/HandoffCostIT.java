package dev.recorder.slotlog.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.recorder.handoff.Block;
import dev.recorder.handoff.Position;
import dev.recorder.handoff.RecorderName;
import dev.recorder.handoff.Snapshot;
import dev.recorder.postgres.TestSessions;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.schema.OneLog;
import dev.recorder.testing.servers.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What reading costs beside a table full of recorded rows: counted in pages, which do not depend on
 * how busy the machine is. {@code -Dhandoff.rows=10000000} for more than the usual million.
 */
@Tag("nightly")
class HandoffCostIT {
  private static final RecorderName ORDERS = new RecorderName("orders");
  private static final long ROWS = Long.getLong("handoff.rows", 1_000_000);
  private static final int PER_TRANSACTION = 20_000;

  /**
   * From the root of the index to the place, and the same once more for what lies beside it; and
   * that there is nothing in each of the other leaves.
   */
  private static final long A_FEW_PAGES = 12 + 2 * (Block.LEAVES - 1);

  private static TestDatabase database;
  private static Connection session;
  private static WaitingRows rows;

  /** Where all of the first rows, in many transactions, are recorded. */
  private static Snapshot recorded;

  /** Behind them one transaction of many rows, that was running then. */
  private static long runningXid;

  private static Snapshot end;

  @BeforeAll
  static void fill() throws Exception {
    database = TestDatabase.createOwned();
    OneLog.setUp(TestSessions.of(database, "setup"), OneLog.wanted(1, "orders"));
    session = TestSessions.patient(database, "a").openData();
    rows = new WaitingRows(SchemaNames.DEFAULT, ORDERS, 1);
    try (Connection application = database.connectAsSuperuser();
        Connection slow = database.connectAsSuperuser()) {
      for (long from = 0; from < ROWS; from += PER_TRANSACTION) {
        insert(application, PER_TRANSACTION);
      }
      slow.setAutoCommit(false);
      insert(slow, 100_000);
      runningXid = Long.parseLong(ask(slow, "SELECT pg_current_xact_id()::text"));
      insert(application, 1);
      recorded = snapshot(); // Sees a later transaction, and not the slow one.
      slow.commit();
      insert(application, 100_000);
      end = snapshot();
    }
  }

  @AfterAll
  static void close() throws Exception {
    session.close();
    database.close();
  }

  @Test
  void aReadThatFindsNothingLooksAtAFewPagesHoweverManyRowsAreRecorded() throws Exception {
    for (String range : HandoffRanges.between(Position.doneUpTo(end), later())) {
      assertThat(pages(rows.select(range, later(), false, 1_000))).isLessThan(A_FEW_PAGES);
      assertThat(pages(rows.select(range, later(), true, 1_000))).isLessThan(A_FEW_PAGES);
    }
  }

  /** As at the beginning of each term. */
  @Test
  void numbersOfAnotherServerAreLookedForOnAFewPagesHoweverManyRowsThereAre() throws Exception {
    String look = new ForeignNumbers(SchemaNames.DEFAULT).largest(ORDERS).text();

    assertThat(pages(look)).isLessThan(A_FEW_PAGES);
  }

  /** Of its first slot and of its last: each begins where the one before has ended. */
  @ParameterizedTest
  @ValueSource(ints = {0, 50_000, 99_000})
  void eachSlotOfALargeTransactionCostsTheSame(int recordedOfIt) throws Exception {
    long lastId = number("SELECT min(id) - 1 FROM handoff.orders WHERE xid = '" + runningXid + "'");
    Position position = new Position(recorded, end, runningXid, lastId + recordedOfIt);
    String range = HandoffRanges.between(position, end).get(0);

    assertThat(rowsOf(rows.select(range, end, false, 1_000))).isEqualTo(1_000);
    assertThat(pages(rows.select(range, end, false, 1_000))).isLessThan(1_000);
  }

  @Test
  void theListOfWhatRanIsReadInOrderWithoutASort() throws Exception {
    String range = HandoffRanges.between(Position.doneUpTo(recorded), end).get(0);

    assertThat(range).contains("ANY");
    assertThat(explain(rows.select(range, end, false, 1_000)).toString())
        .doesNotContain("\"Sort\"");
    assertThat(pages(rows.select(range, end, false, 1_000))).isLessThan(1_000);
  }

  @Test
  void statusCountsWhatWaitsAndNothingElse() throws Exception {
    assertThat(rows.count(session, Position.doneUpTo(recorded), end, 1_000_000)).isEqualTo(200_000);
    assertThat(rows.count(session, Position.doneUpTo(end), later(), 1_000)).isZero();
    assertThat(rows.count(session, Position.doneUpTo(recorded), end, 1_000)).isEqualTo(1_000);
  }

  @Test
  void statusLooksAtAFewPagesHoweverManyRowsAreRecorded() throws Exception {
    List<String> ranges = HandoffRanges.between(Position.doneUpTo(end), later());

    assertThat(pages(rows.counting(ranges, later(), 1_000))).isLessThan(A_FEW_PAGES);
  }

  /** A load of millions that is not committed yet is not walked by each read meanwhile. */
  @Test
  void aTransactionThatStillRunsIsNotLookedAt() throws Exception {
    Snapshot without = Snapshot.parse(runningXid + ":" + end.xmax() + ":" + runningXid);
    List<String> ranges = HandoffRanges.between(Position.doneUpTo(recorded), without);

    assertThat(ranges).hasSize(1);
    assertThat(rowsOf(rows.select(ranges.get(0), without, false, 1_000))).isEqualTo(1_000);
    assertThat(pages(rows.select(ranges.get(0), without, false, 1_000))).isLessThan(1_000);
  }

  /** Also if all that is recorded came before it: reads that follow one in vain go round it. */
  @Test
  void aTransactionThatStillRunsIsLookedAtOnceWhereNothingElseCame() throws Exception {
    Position before = Position.doneUpTo(Snapshot.parse(runningXid + ":" + runningXid + ":"));
    Snapshot now = Snapshot.parse(runningXid + ":" + (runningXid + 1) + ":" + runningXid);
    LongTransactions longTransactions = new LongTransactions(now);

    long first = 0;
    for (String range : HandoffRanges.between(before, now)) {
      first += pages(rows.select(range, now, false, 1_000));
    }
    long next = 0;
    for (String range : HandoffRanges.between(before, now, longTransactions)) {
      assertThat(rowsOf(rows.select(range, now, false, 1_000))).isZero();
      next += pages(rows.select(range, now, false, 1_000));
    }

    assertThat(first).isGreaterThan(1_000);
    assertThat(next).isLessThan(2 * A_FEW_PAGES);
  }

  private static Snapshot snapshot() throws SQLException {
    return Snapshot.parse(ask(session, "SELECT pg_current_snapshot()::text"));
  }

  /** As the next reads would see it, with some transactions of others between. */
  private static Snapshot later() {
    return Snapshot.parse((end.xmax() + 50) + ":" + (end.xmax() + 50) + ":");
  }

  private static void insert(Connection connection, int count) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "INSERT INTO handoff.orders (key, payload) SELECT 'k' || n, json_build_object('n', n,"
              + " 'text', repeat(md5(n::text), 5)) FROM generate_series(1, "
              + count
              + ") n");
    }
  }

  private static String ask(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    }
  }

  private static long number(String sql) throws SQLException {
    return Long.parseLong(ask(session, sql));
  }

  private static long rowsOf(String select) throws Exception {
    return explain(select).get("Actual Rows").asLong();
  }

  private static long pages(String select) throws Exception {
    return Explained.pages(explain(select));
  }

  private static JsonNode explain(String select) throws Exception {
    return Explained.plan(session, select);
  }
}
