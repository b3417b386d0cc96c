package dev.recorder.operate.rebase;

import dev.recorder.handoff.Block;
import dev.recorder.handoff.RecorderName;
import dev.recorder.logging.Plurals;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.slotlog.postgres.RowIdentity;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;

/**
 * Finds rows of slots that have no row in {@code slots}. Such rows were cleared in the source
 * database, but a replication did not transfer the TRUNCATE. A copy of a single moment has no such
 * rows. Here it could never be proved that the log has them, so clearing would be blocked.
 *
 * <p>Rows that applications insert here before the sequence is set look the same: their ids start
 * again from the beginning, and the position may cover their numbers. Such rows are in no object,
 * so emptying the table would lose them.
 */
final class ClearedElsewhere {
  /** Rows below the first slot that has a row in {@code slots} were in slots without such a row. */
  private static final String ROWS =
      """
      SELECT count(*), max(kept.first) - 1, count(*) FILTER (WHERE {may_be_own})
      FROM {lock_recorders} r
      JOIN LATERAL (
        SELECT min(s.slot) AS first FROM {slots} s
        WHERE s.lock_id = r.lock_id AND s.slot > r.rebased_slot AND s.slot <= r.last_slot) kept
        ON kept.first > r.rebased_slot + 1
      LEFT JOIN LATERAL (
        SELECT * FROM {slots} s
        WHERE s.lock_id = r.lock_id AND s.slot >= kept.first AND s.slot <= r.last_slot
          AND s.epoch > r.rebased_epoch AND s.window_to IS NOT NULL
        ORDER BY s.slot LIMIT 1) w ON true, {table} h
      WHERE r.lock_id = :lock
        AND CASE WHEN w.slot IS NULL THEN {covered}
          ELSE pg_visible_in_snapshot(h.xid, w.window_from)
            OR (pg_visible_in_snapshot(h.xid, w.window_to)
              AND (h.xid, h.id) < (w.first_xid, w.first_id)) END
        AND EXISTS (
          SELECT FROM {blocks} b
          WHERE b.lock_id = :lock AND b.cleared_at IS NOT NULL
            AND h.id >> {block_bits} BETWEEN coalesce(b.first_block, b.block) AND b.block)
      """;

  private final int lockId;
  private final String table;
  private final Sql rows;

  /** Creates the check for a recorder. */
  ClearedElsewhere(SchemaNames names, RecorderName recorder, int lockId) {
    this.lockId = lockId;
    this.table = names.handoffTable(recorder);
    this.rows =
        Sql.in(
            names,
            ROWS,
            Map.of(
                "table",
                table,
                "covered",
                RebaseStatements.COVERED,
                "may_be_own",
                RebaseStatements.MAY_BE_OWN,
                "number_of_waiting",
                Quoted.literal(Long.toString(RowIdentity.WAITING)),
                "block_bits",
                Integer.toString(Block.BITS)));
  }

  /**
   * Refuses if there are such rows.
   *
   * @throws DatabaseException of kind UNUSABLE, with the remedy
   */
  void requireNone(Connection connection) throws SQLException {
    try (SqlStatement statement = rows.on(connection);
        ResultSet found = statement.set("lock", lockId).query()) {
      found.next();
      if (found.getLong(3) > 0) {
        throw new DatabaseException(
            DatabaseErrorKind.UNUSABLE,
            """
            %s in %s %s ids that were cleared away where the others came from. %s of them \
            may have been inserted here, before the sequence was set, and are in no object: do not \
            empty the table. Give the rows that were inserted here new ids, then run it again; what \
            is left came with a replication. See the runbook, 'Restored databases'\
            """
                .formatted(
                    Plurals.rows(found.getLong(1)),
                    table,
                    Plurals.word(found.getLong(1), "has", "have"),
                    found.getLong(3)));
      }
      if (found.getLong(1) > 0) {
        throw new DatabaseException(
            DatabaseErrorKind.UNUSABLE,
            """
            %s in %s %s cleared away where the table came from while it was brought here: all are \
            in slots up to %s, which have no rows in recorder.slots. Bring the table over again while \
            history = forever there; see the runbook, 'Restored databases'\
            """
                .formatted(
                    Plurals.rows(found.getLong(1)),
                    table,
                    Plurals.word(found.getLong(1), "was", "were"),
                    found.getLong(2)));
      }
    }
  }
}
