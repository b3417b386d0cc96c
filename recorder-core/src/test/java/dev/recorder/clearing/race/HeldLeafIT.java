package dev.recorder.clearing.race;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.clearing.ClearingPlan;
import dev.recorder.clearing.LogClearing;
import dev.recorder.clearing.LogClearing.Report;
import dev.recorder.clearing.postgres.JdbcHandoffLeaves;
import dev.recorder.handoff.Term;
import dev.recorder.operate.rebase.RebaseSite;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.testing.Patience;
import dev.recorder.testing.servers.MemoryStore;
import dev.recorder.testing.servers.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Somebody has inserted into the leaf that is to be emptied, and does not end: an hour with {@code
 * -Dleaf.held.minutes=60}, otherwise some turns. Clearing says for whom it waits, and nobody waits
 * for it: it asks for the lock once a turn, for no longer than {@value #MOST_MILLIS} ms.
 */
@Tag("nightly")
class HeldLeafIT {
  private static final ClearingPlan AT_ONCE = new ClearingPlan(Duration.ZERO);
  private static final Duration HELD = Duration.ofMinutes(Long.getLong("leaf.held.minutes", 0));
  private static final int TURNS = 10;
  private static final int MOST_MILLIS = 50;

  /** As often as a term's clearing does. */
  private static final Duration BETWEEN_TURNS = Duration.ofSeconds(10);

  /** A younger transaction is not what anybody waits for. */
  private static final String A_SECOND = "SELECT pg_sleep(1.1)";

  private static final String INSERT =
      "INSERT INTO handoff.orders (key, payload) VALUES ('%s', '{}')";

  private RebaseSite site;
  private Connection session;
  private LockRequests requests;
  private LogClearing clearing;
  private Commuters commuters;

  @BeforeEach
  void create() throws Exception {
    site = new RebaseSite(PostgresServer.shared(), new MemoryStore());
    assertThat(site.setUp()).isEmpty();
    session = site.sessions().openData();
    requests = new LockRequests(session, "recorder.handoff_orders_0");
    clearing = new LogClearing(site.store, RebaseSite.LAYOUT, () -> true);
    commuters = new Commuters(site.database, HELD.isZero() ? 1 : 20);
  }

  @AfterEach
  void drop() throws Exception {
    commuters.close();
    session.close();
    for (String gid : site.ask("SELECT gid FROM pg_prepared_xacts WHERE gid = 'half'")) {
      site.run("ROLLBACK PREPARED '" + gid + "'");
    }
    site.close();
  }

  @Test
  void nobodyWaitsWhileATransactionIsHeldOpenAndItsHolderIsNamed() throws Exception {
    site.insert("first");
    try (Connection slow = site.database.connect();
        Connection prepared = site.database.connect();
        Statement ofSlow = slow.createStatement();
        Statement ofPrepared = prepared.createStatement()) {
      ofSlow.execute("SET application_name = 'night batch'");
      slow.setAutoCommit(false);
      ofSlow.execute(INSERT.formatted("slow"));
      prepared.setAutoCommit(false);
      ofPrepared.execute(INSERT.formatted("prepared"));
      ofPrepared.execute("PREPARE TRANSACTION 'half'");
      ofSlow.execute(A_SECOND);
      String pid = ask(ofSlow, "SELECT pg_backend_pid()::text");
      String since = ask(ofSlow, "SELECT now()::timestamptz(0)::text");
      site.record(10);
      assertThat(leaves(session).rotate(0)).isTrue();
      commuters.withNewRows().withNewRows().withLateRows();
      commuters.awaitEach(1);

      stays(
          "others use it; blocked by database session %s (night batch, role recorder) with"
                  .formatted(pid)
              + " RowExclusiveLock on recorder.handoff_orders_0, in a transaction since %s: let it"
                  .formatted(since)
              + " end, or end it with pg_terminate_backend(%s)".formatted(pid));
      slow.commit();

      String prepare = ask(ofSlow, "SELECT prepared::timestamptz(0)::text FROM pg_prepared_xacts");
      slow.commit();
      stays(
          "others use it; blocked by the prepared transaction 'half' with RowExclusiveLock on"
              + " recorder.handoff_orders_0, in a transaction since %s: COMMIT PREPARED or ROLLBACK"
                  .formatted(prepare)
              + " PREPARED it");
      site.run("COMMIT PREPARED 'half'");
    }
    commuters.close();
    goes();
  }

  /** Turn after turn, for the same reason, in which each producer gets on. */
  private void stays(String why) throws Exception {
    long begun = System.nanoTime();
    int turns = 0;
    while (turns < TURNS || System.nanoTime() - begun < HELD.toNanos() / 2) {
      requests.limitsMillis();
      List<Report> reports = clearing.turn(leaves(requests.watched()), AT_ONCE);

      assertThat(reports)
          .filteredOn(report -> report.block() == 0)
          .singleElement()
          .extracting(Report::why)
          .isEqualTo(why);
      assertThat(requests.limitsMillis())
          .singleElement()
          .satisfies(limit -> assertThat(limit).isBetween(1, MOST_MILLIS));
      commuters.awaitEach(2);
      turns++;
      if (!HELD.isZero()) {
        Thread.sleep(BETWEEN_TURNS.toMillis());
      }
    }
    System.out.printf(
        "figure: a leaf held for %d turns, %d rows inserted beside it, longest insert %d ms%n",
        turns, commuters.total(), commuters.longestMillis());
    assertThat(preview()).extracting(Report::why).contains(why);
  }

  /**
   * As {@code clear --dry-run} shows it, which takes no lock at all; once all rows are recorded.
   */
  private List<Report> preview() throws Exception {
    requests.limitsMillis();
    List<Report> reports =
        clearing.preview(leaves(requests.watched()), AT_ONCE).stream()
            .filter(report -> report.block() == 0)
            .toList();
    assertThat(requests.limitsMillis()).isEmpty();
    return reports;
  }

  private void goes() throws Exception {
    site.record(1_000);
    long rows = 3 + commuters.total();
    Patience.await("an empty leaf")
        .untilAsserted(
            () -> {
              clearing.turn(leaves(session), AT_ONCE);
              assertThat(site.ask("SELECT count(*) FROM recorder.handoff_orders_0"))
                  .containsExactly("0");
            });
    assertThat(site.verify().rows()).isEqualTo(rows);
    assertThat(site.verify().findings()).isEmpty();
  }

  private JdbcHandoffLeaves leaves(Connection connection) throws SQLException {
    String[] row =
        site.ask(
                "UPDATE recorder.lock_recorders SET holder = 'host-a'"
                    + " RETURNING epoch || ',' || log_uuid")
            .get(0)
            .split(",");
    Term term = new Term(1, Long.parseLong(row[0]), "host-a", UUID.fromString(row[1]));
    return new JdbcHandoffLeaves(connection, SchemaNames.DEFAULT, RebaseSite.ORDERS, term);
  }

  private static String ask(Statement statement, String sql) throws SQLException {
    try (ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    }
  }
}
