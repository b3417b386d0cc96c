package dev.recorder.clearing.postgres;

import dev.recorder.audit.RowSums;
import dev.recorder.audit.postgres.StoredRows;
import dev.recorder.clearing.ClearingPlan.Closed;
import dev.recorder.handoff.Term;
import dev.recorder.postgres.SqlStates;
import dev.recorder.postgres.Transaction;
import dev.recorder.postgres.holders.Blockers;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * Empties one leaf, if it still has the rows that were proved to be in the log, and no other.
 *
 * <p>All in one transaction. A lock in SHARE mode keeps new rows out and is granted only when
 * nobody has inserted one and not ended, a prepared transaction included; under it the rows are
 * read once more, by no index. Producers use other leaves: only who has drawn an id before the last
 * rotation, and inserts it now, waits for us. Whoever waits is seen between two ranges of pages,
 * and then we give up. The lock that TRUNCATE needs is asked for under the other one, and for a
 * moment only, since it waits for readers and others wait behind it.
 */
final class LeafLock {
  /** How long others may wait behind a request of ours. */
  private static final int WAIT_MILLIS = 50;

  /** What is read at once while somebody may be waiting, in pages: some ten milliseconds. */
  private static final int PAGES = 256;

  private final SchemaNames schemas;
  private final Term term;
  private final Leaves leaves;
  private final Sql holds;
  private final Sql note;

  LeafLock(SchemaNames schemas, Term term, Leaves leaves) {
    this.schemas = schemas;
    this.term = term;
    this.leaves = leaves;
    this.holds = Sql.in(schemas, HOLDS);
    this.note = Sql.in(schemas, NOTE);
  }

  /** Somebody waits for us. */
  private static final class Yield extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Yield() {
      super("somebody waits", null, false, false);
    }
  }

  /** The rows of a leaf, as they are stored. */
  StoredRows rows(Connection connection, int leaf) throws SQLException {
    return StoredRows.of(connection, schemas, term.lockId(), leaves.table(leaf));
  }

  /**
   * Empties it.
   *
   * @param upTo the last slot that was needed to prove its rows
   * @return why it was not emptied; empty if it was
   */
  String empty(Connection connection, Closed leaf, RowSums proved, long upTo) throws SQLException {
    String table = leaves.table(leaf.leaf());
    try (Transaction transaction = Transaction.begin(connection);
        Statement statement = connection.createStatement()) {
      statement.execute("SET LOCAL lock_timeout = " + WAIT_MILLIS);
      statement.execute("LOCK TABLE " + table + " IN SHARE MODE");
      if (leaves.look(connection).map(now -> now.currentBlock() <= leaf.block()).orElse(true)) {
        return "it is in use";
      }
      RowSums now =
          RowSums.of(
              rows(connection, leaf.leaf())
                  .inRangesOf(PAGES, session -> yieldToWaiting(session, table)));
      if (!now.equalTo(proved)) {
        return "rows came into it while it was compared with the log";
      }
      if (!holdsTerm(connection)) {
        return "the term is over";
      }
      statement.execute("LOCK TABLE " + table + " IN ACCESS EXCLUSIVE MODE");
      statement.execute("TRUNCATE ONLY " + table);
      note(connection, leaf.block(), now.rows(), upTo);
      transaction.commit();
      return "";
    } catch (Yield yield) {
      return "somebody wants to insert into it";
    } catch (SQLException e) {
      if (!SqlStates.WAITED_FOR_LOCK.equals(e.getSQLState())) {
        throw e;
      }
    }
    return "others use it" + Blockers.of(connection, List.of(table));
  }

  private static final Sql WAITING =
      Sql.of(
          """
          SELECT EXISTS (
            SELECT FROM pg_locks WHERE relation = :table::regclass AND NOT granted
              AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))
          """);

  private static void yieldToWaiting(Connection connection, String table) throws SQLException {
    try (SqlStatement statement = WAITING.on(connection)) {
      if (statement.set("table", table).truth()) {
        throw new Yield();
      }
    }
  }

  private static final String HOLDS =
      """
      SELECT EXISTS (
        SELECT FROM {lock_recorders}
        WHERE lock_id = :lock AND epoch = :epoch AND holder = :machine AND log_uuid = :log::uuid)
      """;

  private boolean holdsTerm(Connection connection) throws SQLException {
    try (SqlStatement statement = holds.on(connection)) {
      return statement
          .set("lock", term.lockId())
          .set("epoch", term.epoch())
          .set("machine", term.machine())
          .set("log", term.log().toString())
          .truth();
    }
  }

  private static final String NOTE =
      """
      UPDATE {blocks} SET cleared_at = clock_timestamp(), cleared_by = :machine,
        cleared_rows = cleared_rows + :rows, last_slot = :upTo
      WHERE lock_id = :lock AND block = :block
      """;

  private void note(Connection connection, long block, long rows, long upTo) throws SQLException {
    leaves.noteBlock(connection, block);
    try (SqlStatement statement = note.on(connection)) {
      statement
          .set("lock", term.lockId())
          .set("block", block)
          .set("machine", term.machine())
          .set("rows", rows)
          .set("upTo", upTo)
          .update();
    }
  }
}
