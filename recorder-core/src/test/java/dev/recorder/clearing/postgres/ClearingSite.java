package dev.recorder.clearing.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.clearing.ClearingPlan;
import dev.recorder.clearing.LogClearing;
import dev.recorder.clearing.LogClearing.Report;
import dev.recorder.handoff.Term;
import dev.recorder.operate.rebase.RebaseSite;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.testing.servers.MemoryStore;
import dev.recorder.testing.servers.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/** A log that is recorded and cleared step by step, on one session. */
final class ClearingSite implements AutoCloseable {
  static final ClearingPlan AT_ONCE = new ClearingPlan(Duration.ZERO);

  final RebaseSite log;
  private Connection session;

  ClearingSite(TestDatabase database, MemoryStore store) throws Exception {
    this.log = new RebaseSite(database, store);
    assertThat(log.setUp()).isEmpty();
    this.session = log.sessions().openData();
  }

  /** A row a slot. */
  void record(String... keys) throws Exception {
    log.insert(keys);
    log.record(1);
  }

  /** Has the ids go on to the next block. */
  void rotate() throws SQLException {
    long current = log.database.number("SELECT last_value >> 32 FROM handoff.orders_id_seq");
    assertThat(leaves(term()).rotate(current)).isTrue();
  }

  /** Clears what can be cleared; all of it, so many leaves. */
  void clear(int leaves) throws SQLException {
    List<Report> reports = clearing().turn(leaves(term()), AT_ONCE);
    assertThat(reports).as("%s", reports).hasSize(leaves).allMatch(Report::isCleared);
  }

  /** Deletes rows of slots that nobody needs. */
  void tidy() throws SQLException {
    tidy(term(), session);
  }

  void tidy(Term term, Connection connection) {
    JdbcHandoffLeaves leaves = leaves(term, connection);
    clearing().tidy(leaves, leaves.slots());
  }

  LogClearing clearing() {
    return new LogClearing(log.store, RebaseSite.LAYOUT, () -> true);
  }

  JdbcHandoffLeaves leaves(Term term) {
    return leaves(term, session);
  }

  private static JdbcHandoffLeaves leaves(Term term, Connection connection) {
    return new JdbcHandoffLeaves(connection, SchemaNames.DEFAULT, RebaseSite.ORDERS, term);
  }

  /** The term of the moment, which this machine takes. */
  Term term() throws SQLException {
    String[] row =
        log.ask(
                "UPDATE recorder.lock_recorders SET holder = 'host-a' RETURNING epoch || ',' ||"
                    + " log_uuid")
            .get(0)
            .split(",");
    return new Term(1, Long.parseLong(row[0]), "host-a", UUID.fromString(row[1]));
  }

  /** Slots that have rows. */
  List<String> slots() throws SQLException {
    return log.ask("SELECT DISTINCT slot::text FROM recorder.slots ORDER BY 1");
  }

  String chain() throws SQLException {
    return log.ask("SELECT chain FROM recorder.lock_recorders").get(0);
  }

  /** A physical copy of the database as of now: a backup of this moment. */
  TestDatabase copied() throws SQLException {
    session.close();
    TestDatabase copy = log.database.copyInItsPlace();
    session = log.sessions().openData();
    return copy;
  }

  void assertProved(long rows) throws Exception {
    var verdict = log.verify();
    assertThat(verdict.findings()).isEmpty();
    assertThat(verdict.rows()).isEqualTo(rows);
  }

  @Override
  public void close() throws SQLException {
    session.close();
    log.close();
  }
}
