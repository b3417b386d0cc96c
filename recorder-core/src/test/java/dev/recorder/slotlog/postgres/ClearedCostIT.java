package dev.recorder.slotlog.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.clearing.ClearingPlan;
import dev.recorder.clearing.LogClearing;
import dev.recorder.clearing.LogClearing.Report;
import dev.recorder.clearing.postgres.JdbcHandoffLeaves;
import dev.recorder.handoff.Position;
import dev.recorder.handoff.Snapshot;
import dev.recorder.handoff.Term;
import dev.recorder.operate.rebase.RebaseSite;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.testing.Patience;
import dev.recorder.testing.servers.MemoryStore;
import dev.recorder.testing.servers.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * After many rows that were recorded and cleared away tables, indexes and statements cost what they
 * cost in the beginning, in pages: {@code -Dcleared.rows=50000000} for more than the usual number.
 */
@Tag("nightly")
class ClearedCostIT {
  private static final long ROWS = Long.getLong("cleared.rows", 60_000);
  private static final int A_ROUND = (int) Math.min(200_000, ROWS / 3);

  /** A thousand slots in all, whose rows must go, too. */
  private static final int A_SLOT = (int) (ROWS / 1_000);

  /** Each waits for its lock for a while. */
  private static final int MOST_TURNS = 100;

  private static final ClearingPlan AT_ONCE = new ClearingPlan(Duration.ZERO);

  /** Notes of some blocks and slots more; a page that is split later or sooner. */
  private static final long MORE_PAGES = 4;

  /** What the slots of one round take, whose room is used again. */
  private static final long MORE_BYTES = 128 << 10;

  /** As of autovacuum, when it analyzes a table: what it might see no VACUUM removes. */
  private static final String OTHERS_WITH_A_SNAPSHOT =
      "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
          + " AND backend_xmin IS NOT NULL AND pid <> pg_backend_pid()";

  /** As autovacuum does. */
  private static final String VACUUM =
      "VACUUM recorder.slots, recorder.blocks, recorder.lock_recorders";

  private RebaseSite site;
  private Connection session;
  private long forgotten;

  @BeforeEach
  void create() throws Exception {
    site = new RebaseSite(PostgresServer.shared(), new MemoryStore());
    assertThat(site.setUp()).isEmpty();
    session = site.sessions().openData();
    session.setAutoCommit(true);
  }

  @AfterEach
  void drop() throws Exception {
    session.close();
    site.close();
  }

  @Test
  void aTableThatIsClearedCostsWhatAnEmptyOneCosts() throws Exception {
    for (int block = 0; block < 8; block++) {
      round(1); // All leaves have been in use once, and two slots have rows.
    }
    Map<String, Long> before = costs();

    for (long rows = 0; rows < ROWS; rows += A_ROUND) {
      round(A_ROUND);
      forget();
    }

    round(1);
    Map<String, Long> after = costs();
    System.out.printf(
        "figure: costs of an empty table %s, after %d rows %s%n", before, ROWS, after);
    assertThat(site.ask("SELECT sum(cleared_rows) >= " + ROWS + " FROM recorder.blocks"))
        .containsExactly("t");
    before.forEach(
        (what, cost) ->
            assertThat(after.get(what))
                .as(what)
                .isLessThanOrEqualTo(cost + (what.startsWith("bytes") ? MORE_BYTES : MORE_PAGES)));
  }

  /** Rows come, are recorded, and go when others have come behind them. */
  private void round(int rows) throws Exception {
    insert(rows);
    site.record(A_SLOT);
    long current = site.database.number("SELECT last_value >> 32 FROM handoff.orders_id_seq");
    JdbcHandoffLeaves leaves = leaves();
    assertThat(leaves.rotate(current)).isTrue();
    insert(1);
    LogClearing clearing = new LogClearing(site.store, RebaseSite.LAYOUT, () -> true);
    List<Report> reports = turn(clearing, leaves);
    assertThat(reports).as("%s", reports).singleElement().matches(Report::isCleared);
    clearing.tidy(leaves, leaves.slots());
    Patience.await("nobody's snapshot")
        .until(() -> site.database.number(OTHERS_WITH_A_SNAPSHOT) == 0);
    site.database.execute(VACUUM);
  }

  /** Again while autovacuum uses the leaf, as the product's later turns do. */
  private static List<Report> turn(LogClearing clearing, JdbcHandoffLeaves leaves) {
    List<Report> reports = clearing.turn(leaves, AT_ONCE);
    for (int again = 0;
        again < MOST_TURNS && !reports.stream().allMatch(Report::isCleared);
        again++) {
      reports = clearing.turn(leaves, AT_ONCE);
    }
    return reports;
  }

  /**
   * Objects of slots whose rows are gone, which nobody reads here, for the sake of this process's
   * memory.
   */
  private void forget() throws SQLException {
    long kept = site.database.number("SELECT min(slot) FROM recorder.slots");
    while (forgotten < kept - 1) {
      site.store.delete(RebaseSite.LAYOUT.slotKey(++forgotten));
    }
  }

  /** In pages, but for sizes. */
  private Map<String, Long> costs() throws Exception {
    Map<String, Long> costs = new LinkedHashMap<>();
    insert(10);
    WaitingRows rows = new WaitingRows(SchemaNames.DEFAULT, RebaseSite.ORDERS, 1);
    Position position =
        Position.doneUpTo(
            Snapshot.parse(
                site.ask("SELECT done_snapshot::text FROM recorder.lock_recorders").get(0)));
    Snapshot now = Snapshot.parse(site.ask("SELECT pg_current_snapshot()::text").get(0));
    List<String> waiting = HandoffRanges.between(position, now);
    costs.put("a slot of ten rows", pages(rows.select(waiting.get(0), now, false, 1_000)));
    costs.put("how many wait", pages(rows.counting(waiting, now, 1_000)));
    Snapshot later = Snapshot.parse((now.xmax() + 50) + ":" + (now.xmax() + 50) + ":");
    for (String range : HandoffRanges.between(Position.doneUpTo(now), later)) {
      costs.merge(
          "a look that finds nothing", pages(rows.select(range, later, false, 1)), Long::sum);
    }
    long lastSlot = site.database.number("SELECT last_slot FROM recorder.lock_recorders");
    costs.put("a settle", SettlePages.count(session, term(), lastSlot));
    costs.put("bytes of the table", bytes("pg_partition_tree('handoff.orders')"));
    for (String table : List.of("slots", "blocks", "exclusions")) {
      costs.put(
          "bytes of " + table, bytes("(VALUES ('recorder." + table + "'::regclass)) t (relid)"));
    }
    site.record(A_SLOT);
    return costs;
  }

  private long pages(String sql) throws Exception {
    return Explained.pages(Explained.plan(session, sql));
  }

  private long bytes(String relations) throws SQLException {
    return site.database.number("SELECT sum(pg_total_relation_size(relid)) FROM " + relations);
  }

  private void insert(int rows) throws SQLException {
    site.run(
        "INSERT INTO handoff.orders (key, payload) SELECT 'k' || n, json_build_object('n', n,"
            + " 'text', repeat(md5(n::text), 5)) FROM generate_series(1, "
            + rows
            + ") n");
  }

  private JdbcHandoffLeaves leaves() throws SQLException {
    return new JdbcHandoffLeaves(session, SchemaNames.DEFAULT, RebaseSite.ORDERS, term());
  }

  private Term term() throws SQLException {
    String[] row =
        site.ask(
                "UPDATE recorder.lock_recorders SET holder = 'host-a'"
                    + " RETURNING epoch || ',' || log_uuid")
            .get(0)
            .split(",");
    return new Term(1, Long.parseLong(row[0]), "host-a", UUID.fromString(row[1]));
  }
}
