package dev.recorder.slotlog.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.recorder.handoff.HandoffRow;
import dev.recorder.handoff.LineEncoder;
import dev.recorder.handoff.RecordedLine;
import dev.recorder.handoff.RecorderName;
import dev.recorder.handoff.RowKey;
import dev.recorder.postgres.TestSessions;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.SqlArrays;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.schema.OneLog;
import dev.recorder.testing.servers.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How lines of an object are compared with the rows that they name. */
class RowIdentityIT {
  private static final RecorderName ORDERS = new RecorderName("orders");

  private TestDatabase database;
  private Connection session;

  @BeforeEach
  void open() throws Exception {
    database = TestDatabase.createOwned();
    OneLog.setUp(TestSessions.of(database, "setup"), OneLog.wanted(1, "orders"));
    session = TestSessions.patient(database, "a").openData();
  }

  @AfterEach
  void close() throws Exception {
    session.close();
    database.close();
  }

  /** Else the log stands still after a failover, as each comparison takes too long. */
  @Test
  void eachLineIsLookedUpByNumberAndIdHoweverManyRowsThereAre() throws Exception {
    database.execute(
        "INSERT INTO handoff.orders (key, payload)"
            + " SELECT 'k', '{}' FROM generate_series(1, 2000)");
    long xid = database.number("SELECT min(xid::text::bigint) FROM handoff.orders");
    List<RowKey> named = LongStream.rangeClosed(1, 100).mapToObj(n -> new RowKey(xid, n)).toList();
    String sql = Explained.EXPLAIN + RowIdentity.ROWS;

    JsonNode plan;
    try (SqlStatement statement = RowIdentity.sql(sql, SchemaNames.DEFAULT, ORDERS).on(session);
        ResultSet answer = RowIdentity.bind(statement, named).query()) {
      plan = Explained.plan(answer);
    }

    assertThat(plan.findValuesAsText("Index Cond"))
        .isNotEmpty()
        .allSatisfy(condition -> assertThat(condition).contains("(xid = ", "(id = named.id)"));
    assertThat(plan.get("Actual Rows").asLong()).isEqualTo(100);
  }

  /** Of lines that have no number there may be as many. */
  @Test
  void allLinesWithoutANumberCostOneLookAtEachRow() throws Exception {
    database.execute(
        "INSERT INTO handoff.orders (key, payload)"
            + " SELECT 'k', '{}' FROM generate_series(1, 2000)");
    String sql = Explained.EXPLAIN + RowIdentity.NUMBERED_ROWS;

    JsonNode plan;
    try (SqlStatement statement = RowIdentity.sql(sql, SchemaNames.DEFAULT, ORDERS).on(session);
        ResultSet answer =
            statement
                .set("ids", SqlArrays.of(LongStream.rangeClosed(1, 100).boxed().toList()))
                .query()) {
      plan = Explained.plan(answer);
    }

    assertThat(plan.get("Actual Rows").asLong()).isEqualTo(100);
    assertThat(plan.findParents("Relation Name"))
        .isNotEmpty()
        .allSatisfy(scan -> assertThat(scan.get("Actual Loops").asLong()).isLessThanOrEqualTo(1));
  }

  @Test
  void aLineWithoutANumberIsTheRowThatKeptItAndNoRowOfThisIdWithAnotherContent() throws Exception {
    database.execute("INSERT INTO handoff.orders (payload) VALUES ('{}'), ('{}'), ('[]')");
    long xid = database.number("SELECT xid::text::bigint FROM handoff.orders WHERE id = 1");
    RowIdentity identity = new RowIdentity(SchemaNames.DEFAULT, ORDERS);

    List<RowKey> found =
        identity.matching(
            session,
            List.of(
                line(1, RowIdentity.WAITING),
                line(2, RowIdentity.WAITING),
                line(3, RowIdentity.WAITING)));
    RecordedLine earlier = line(1, RowIdentity.WAITING);
    database.execute(
        "ALTER TABLE handoff.orders DROP CONSTRAINT xid_is_own",
        "UPDATE handoff.orders SET time = time + interval '1 microsecond'");
    List<RowKey> later = identity.matching(session, List.of(earlier));

    assertThat(found).containsExactlyInAnyOrder(new RowKey(xid, 1), new RowKey(xid, 2));
    assertThat(later).isEmpty();
  }

  @Test
  void aRowIsFoundOnceUnderItsNumberAndUnderThatOfRowsThatWait() throws Exception {
    database.execute("INSERT INTO handoff.orders (payload) VALUES ('{}'), ('{}')");
    database.execute("UPDATE handoff.orders SET xid = '" + RowIdentity.WAITING + "' WHERE id = 2");
    long xid = database.number("SELECT xid::text::bigint FROM handoff.orders WHERE id = 1");

    List<RowKey> found =
        new RowIdentity(SchemaNames.DEFAULT, ORDERS)
            .matching(session, List.of(line(1, xid), line(2, xid), line(3, xid)));
    List<RowKey> waiting =
        new RowIdentity(SchemaNames.DEFAULT, ORDERS)
            .matching(session, List.of(line(2, RowIdentity.WAITING)));

    assertThat(found)
        .containsExactlyInAnyOrder(new RowKey(xid, 1), new RowKey(RowIdentity.WAITING, 2));
    assertThat(waiting).containsExactly(new RowKey(RowIdentity.WAITING, 2));
  }

  private RecordedLine line(long id, long xid) throws Exception {
    long micros =
        database.number(
            "SELECT (extract(epoch FROM min(time)) * 1000000)::bigint FROM handoff.orders");
    return new RecordedLine(
        id, xid, new LineEncoder().encode(new HandoffRow(id, xid, micros, null, "{}")));
  }
}
