package dev.recorder.clearing.postgres;

import dev.recorder.audit.postgres.StoredRows;
import dev.recorder.clearing.ClearingPlan.Closed;
import dev.recorder.clearing.HandoffLeaves.Proof;
import dev.recorder.clearing.LeafContent;
import dev.recorder.handoff.Block;
import dev.recorder.handoff.Term;
import dev.recorder.postgres.SqlStates;
import dev.recorder.postgres.Transaction;
import dev.recorder.postgres.holders.Blockers;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlAction;
import dev.recorder.postgres.sql.SqlFunction;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.postgres.sql.SqlTemplate;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Empties one leaf, if it still has exactly the rows that were proved to be in the log.
 *
 * <p>All steps are in one transaction. A lock in SHARE mode keeps new rows out. It is granted only
 * when no open or prepared transaction has inserted a row. Under this lock the pages are read once
 * more, without an index. If they have the same row versions as before the proof, then the proof
 * has read the values of all rows.
 *
 * <p>Producers use other leaves. Only a producer that drew an id before the last rotation, and
 * inserts it now, waits for this lock. Between two ranges of pages the session looks for waiters,
 * and gives up if it sees one. TRUNCATE needs a stronger lock, which waits for readers while others
 * wait behind it. It is requested under the first lock, and for a moment only.
 */
final class LeafTruncation {
  /**
   * The limits of the transaction: how long others may wait behind a lock request, and how soon a
   * frozen host loses its locks; all statements are short.
   */
  private static final String LIMITS =
      """
      SET LOCAL lock_timeout = 50; SET LOCAL statement_timeout = 5000;
      SET LOCAL idle_in_transaction_session_timeout = 1000
      """;

  private static final String IN_USE = "others use it";

  /** The pages read at once while a producer may be waiting; this takes some ten milliseconds. */
  private static final int PAGES = 512;

  private final SchemaNames schemas;
  private final Term term;
  private final Leaves leaves;
  private final Sql holds;
  private final Sql note;

  LeafTruncation(SchemaNames schemas, Term term, Leaves leaves) {
    this.schemas = schemas;
    this.term = term;
    this.leaves = leaves;
    this.holds = Sql.in(schemas, HOLDS);
    this.note = Sql.in(schemas, NOTE);
  }

  /** Thrown because another session waits for the lock. */
  private static final class Yield extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Yield() {
      super("somebody waits", null, false, false);
    }
  }

  /** Returns the rows of a leaf, as they are stored. */
  StoredRows rows(Connection connection, Closed leaf) throws SQLException {
    return StoredRows.of(connection, schemas, term.lockId(), leaves.table(leaf.leaf()));
  }

  /** Returns why a leaf cannot be emptied at this moment; empty if it can. */
  String inUse(Connection connection, Closed leaf) throws SQLException {
    return locked(connection, leaf, table -> lock(connection, table, "ACCESS EXCLUSIVE"));
  }

  /** As {@link #inUse}, but without a lock, since a query blocks no session. */
  String heldBy(Connection connection, Closed leaf) throws SQLException {
    String holder = Blockers.ofAnyLock(connection, List.of(leaves.table(leaf.leaf())));
    return holder.isEmpty() ? "" : IN_USE + holder;
  }

  /** Reads the content of a leaf, without a lock for which others would wait. */
  LeafContent content(Connection connection, Closed leaf) throws SQLException {
    return content(connection, leaves.table(leaf.leaf()), session -> {});
  }

  /** Empties a leaf; returns why not, or an empty text. */
  String empty(Connection connection, Closed leaf, Proof proof) throws SQLException {
    return locked(
        connection,
        leaf,
        table -> {
          lock(connection, table, "SHARE");
          if (Block.leafOf(leaves.look(connection).currentBlock()) == leaf.leaf()) {
            return "it is in use";
          }
          LeafContent content =
              content(connection, table, session -> yieldToWaiting(session, table));
          if (!content.equals(proof.content())) {
            return "rows came into it while it was compared with the log";
          }
          if (!holdsTerm(connection)) {
            return "the term is over";
          }
          lock(connection, table, "ACCESS EXCLUSIVE");
          execute(connection, SqlTemplate.fill("TRUNCATE ONLY {table}", Map.of("table", table)));
          note(connection, leaf, proof);
          connection.commit();
          return "";
        });
  }

  /** Runs {@code work} in a transaction that is rolled back unless {@code work} commits it. */
  private String locked(Connection connection, Closed leaf, SqlFunction<String, String> work)
      throws SQLException {
    String table = leaves.table(leaf.leaf());
    try (Transaction transaction = Transaction.begin(connection)) {
      execute(connection, LIMITS);
      return work.apply(table);
    } catch (Yield yield) {
      return "a session wants to insert into it";
    } catch (SQLException e) {
      if (!SqlStates.WAITED_FOR_LOCK.equals(e.getSQLState())) {
        throw e;
      }
    }
    return IN_USE + Blockers.ofAnyLock(connection, List.of(table));
  }

  private static String lock(Connection connection, String table, String mode) throws SQLException {
    execute(
        connection,
        SqlTemplate.fill(
            "LOCK TABLE {table} IN {mode} MODE", Map.of("table", table, "mode", mode)));
    return "";
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static final Sql SIZE =
      Sql.of(
          """
          SELECT pg_relation_size(:table::regclass) / current_setting('block_size')::bigint
          """);

  private static final String CONTENT =
      """
      SELECT count(*), coalesce(sum(hashtextextended(
        concat_ws(' ', h.ctid::text, h.xmin::text, h.id::text), 0)), 0)::text
      FROM ONLY {table} h WHERE h.ctid >= :from::tid AND h.ctid < :to::tid
      """;

  private static LeafContent content(
      Connection connection, String table, SqlAction<Connection> between) throws SQLException {
    long pages;
    try (SqlStatement statement = SIZE.on(connection)) {
      pages = statement.set("table", table).number();
    }
    long rows = 0;
    BigInteger sum = BigInteger.ZERO;
    try (SqlStatement statement = Sql.of(CONTENT, Map.of("table", table)).on(connection)) {
      for (long page = 0; page < pages; page += PAGES) {
        between.apply(connection);
        statement.set("from", "(" + page + ",0)").set("to", "(" + (page + PAGES) + ",0)");
        try (ResultSet row = statement.query()) {
          row.next();
          rows += row.getLong(1);
          sum = sum.add(new BigInteger(row.getString(2)));
        }
      }
    }
    return new LeafContent(rows, sum.toString());
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

  /**
   * Notes the clearing. All rows are counted for the leaf's own block, though some may be of other
   * blocks.
   */
  private void note(Connection connection, Closed leaf, Proof proof) throws SQLException {
    Set<Long> blocks = new TreeSet<>(proof.blocks());
    blocks.add(leaf.block());
    for (long block : blocks) {
      leaves.noteBlock(connection, block);
      try (SqlStatement statement = note.on(connection)) {
        statement
            .set("lock", term.lockId())
            .set("block", block)
            .set("machine", term.machine())
            .set("rows", block == leaf.block() ? proof.content().rows() : 0)
            .set("upTo", proof.upTo())
            .update();
      }
    }
  }
}
