package dev.recorder.clearing.postgres;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.clearing.ClearingPlan;
import dev.recorder.clearing.LogClearing;
import dev.recorder.clearing.LogClearing.Report;
import dev.recorder.handoff.Term;
import dev.recorder.operate.RebaseSite;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.schema.EarlierTable;
import dev.recorder.testing.MemoryStore;
import dev.recorder.testing.Patience;
import dev.recorder.testing.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/** A log whose table an earlier version made, and a machine of this one that clears it. */
final class EarlierSite implements AutoCloseable {
  static final String PARTITION = "recorder.handoff_orders_default";
  static final String FIRST_LEAF = "recorder.handoff_orders_0";

  private static final ClearingPlan AT_ONCE = new ClearingPlan(Duration.ZERO);

  final RebaseSite site;
  private final Connection session;

  /** Which machine's term it is. */
  String holder = "host-a";

  EarlierSite(PostgresServer server) throws Exception {
    this(tableOn(server));
  }

  /** A machine that finds the tables as they are. */
  EarlierSite(RebaseSite site) throws Exception {
    this.site = site;
    assertThat(site.setUp()).isEmpty();
    session = site.sessions().openData();
  }

  private static RebaseSite tableOn(PostgresServer server) throws Exception {
    RebaseSite site = new RebaseSite(server, new MemoryStore());
    site.run(EarlierTable.create());
    return site;
  }

  /** What a term's clearing is asked for, turn after turn. */
  LogClearing clearing() {
    return new LogClearing(site.store, RebaseSite.LAYOUT, () -> true);
  }

  List<Report> turn() throws SQLException {
    return turn(clearing(), session);
  }

  List<Report> turn(LogClearing clearing, Connection connection) throws SQLException {
    return clearing.turn(leaves(connection), AT_ONCE);
  }

  /** On a busy machine it takes too long at times, and is tried again. */
  void turnUntilItHasLeaves() {
    Patience.await("leaves")
        .untilAsserted(
            () -> {
              List<Report> reports = turn();
              assertThat(leafCount()).as(reports.toString()).isEqualTo(8);
            });
  }

  long leafCount() throws SQLException {
    return site.database.number(
        "SELECT count(*) FROM pg_partition_tree('handoff.orders') WHERE isleaf AND level = 2");
  }

  void rotate(long block) throws SQLException {
    assertThat(leaves(session).rotate(block)).isTrue();
  }

  private JdbcHandoffLeaves leaves(Connection connection) throws SQLException {
    return new JdbcHandoffLeaves(connection, SchemaNames.DEFAULT, RebaseSite.ORDERS, term());
  }

  private Term term() throws SQLException {
    String[] row =
        site.ask(
                ("UPDATE recorder.lock_recorders SET holder = '%s'"
                        + " RETURNING epoch || ',' || log_uuid")
                    .formatted(holder.replace("'", "''")))
            .get(0)
            .split(",");
    return new Term(1, Long.parseLong(row[0]), holder, UUID.fromString(row[1]));
  }

  /** The keys of all lines, slot after slot. */
  List<String> lines() {
    return site.store.objects().entrySet().stream()
        .filter(object -> object.getKey().endsWith(".ndjson"))
        .flatMap(object -> new String(object.getValue().bytes(), UTF_8).lines())
        .map(line -> line.replaceAll(".*\"key\":\"([^\"]*)\".*", "$1"))
        .toList();
  }

  @Override
  public void close() throws SQLException {
    session.close();
    site.close();
  }
}
