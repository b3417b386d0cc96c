package dev.recorder.clearing.postgres;

import dev.recorder.handoff.Block;
import dev.recorder.handoff.Term;
import dev.recorder.postgres.Transaction;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Merges notes of blocks that were cleared long ago: one note replaces those of successive blocks,
 * so that their number does not grow with the years. A block whose rows were deleted by hand was
 * never cleared. Its note stays, and ends a stretch of successive blocks.
 *
 * <p>The latest notes are kept, since they show which leaf is due and which slots have its rows.
 */
final class OldBlocks {
  /** The number of latest notes that are not merged; {@link Leaves} reads as many. */
  private static final int LATEST = 2 * Block.LEAVES;

  /** With fewer notes a merge is not worth the lock. */
  private static final int WORTH_IT = 64;

  /** Limits of a merge, for which settlements wait. */
  private static final String LIMITS =
      """
      SET LOCAL lock_timeout = 50; SET LOCAL statement_timeout = 1000;
      SET LOCAL idle_in_transaction_session_timeout = 1000
      """;

  private final Term term;
  private final Sql count;
  private final Sql hold;
  private final Sql merge;

  OldBlocks(SchemaNames schemas, Term term) {
    this.term = term;
    this.count = Sql.in(schemas, COUNT);
    this.hold = Sql.in(schemas, HOLD);
    this.merge = Sql.in(schemas, MERGE);
  }

  private static final String COUNT =
      """
      SELECT count(*) FROM {blocks}
      WHERE lock_id = :lock AND block <= :upTo AND cleared_at IS NOT NULL
      """;

  private static final String HOLD =
      """
      SELECT count(*) FROM (
        SELECT FROM {lock_recorders}
        WHERE lock_id = :lock AND epoch = :epoch AND holder = :machine AND log_uuid = :log::uuid
        FOR NO KEY UPDATE) held
      """;

  /**
   * A stretch begins where the block before was not cleared. A block within a stretch may have a
   * note of its own, for rows that came late.
   */
  private static final String MERGE =
      """
      WITH old AS (
        SELECT *, coalesce(first_block, block) AS first, lag(block) OVER (ORDER BY block) AS before
        FROM {blocks} WHERE lock_id = :lock AND block <= :upTo AND cleared_at IS NOT NULL),
      stretches AS (
        SELECT *, count(*) FILTER (WHERE first > coalesce(before + 1, first - 1))
          OVER (ORDER BY block) AS stretch
        FROM old),
      merged AS (
        SELECT min(first) AS first, max(block) AS block, min(begun_at) AS begun_at,
          min(from_slot) AS from_slot, max(cleared_at) AS cleared_at,
          sum(cleared_rows) AS cleared_rows, max(last_slot) AS last_slot
        FROM stretches GROUP BY stretch HAVING count(*) > 1),
      gone AS (
        DELETE FROM {blocks} b USING merged m
        WHERE b.lock_id = :lock AND b.block >= m.first AND b.block < m.block
          AND b.cleared_at IS NOT NULL)
      UPDATE {blocks} b SET first_block = m.first, begun_at = m.begun_at, from_slot = m.from_slot,
        cleared_at = m.cleared_at, cleared_rows = m.cleared_rows, last_slot = m.last_slot
      FROM merged m WHERE b.lock_id = :lock AND b.block = m.block
      """;

  /** Merges old notes once there are many; no effect if the term is over. */
  void merge(Connection connection, long currentBlock) throws SQLException {
    long upTo = currentBlock - LATEST;
    try (SqlStatement statement = count.on(connection)) {
      if (statement.set("lock", term.lockId()).set("upTo", upTo).number() < WORTH_IT) {
        return;
      }
    }
    try (Transaction transaction = Transaction.begin(connection)) {
      try (Statement statement = connection.createStatement()) {
        statement.execute(LIMITS);
      }
      if (holdsTerm(connection)) { // So only this session merges notes now.
        try (SqlStatement statement = merge.on(connection)) {
          statement.set("lock", term.lockId()).set("upTo", upTo).update();
        }
        transaction.commit();
      }
    }
  }

  private boolean holdsTerm(Connection connection) throws SQLException {
    try (SqlStatement statement = hold.on(connection)) {
      return statement
              .set("lock", term.lockId())
              .set("epoch", term.epoch())
              .set("machine", term.machine())
              .set("log", term.log().toString())
              .number()
          == 1;
    }
  }
}
