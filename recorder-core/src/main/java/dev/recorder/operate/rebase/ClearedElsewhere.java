package dev.recorder.operate.rebase;

import dev.recorder.handoff.Block;
import dev.recorder.handoff.RecorderName;
import dev.recorder.logging.Counted;
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
 * Rows that are here in folded slots, so that they were cleared away where they came from: a
 * replication has left the TRUNCATE out. A copy of one moment has none. Nothing could ever prove
 * here that the log has them, and the clearing would wait for that.
 *
 * <p>Rows that applications insert here before the sequence is set look like them: their ids begin
 * anew, and the position may say of their numbers that they are recorded. They are in no object, so
 * that whoever emptied the table would lose them.
 */
final class ClearedElsewhere {
  private static final String ROWS =
      """
      SELECT count(*), max(f.last_slot), count(*) FILTER (WHERE {may_be_own})
      FROM (
        SELECT * FROM {folds} WHERE lock_id = :lock ORDER BY last_slot DESC LIMIT 1) f
      JOIN {lock_recorders} r ON r.lock_id = f.lock_id AND f.last_slot > r.rebased_slot,
        {table} h
      WHERE {covered}
        AND EXISTS (
          SELECT FROM {blocks} b
          WHERE b.lock_id = :lock AND b.cleared_at IS NOT NULL
            AND h.id >> {block_bits} BETWEEN coalesce(b.first_block, b.block) AND b.block)
      """;

  private final int lockId;
  private final String table;
  private final Sql rows;

  /** Rows of a recorder. */
  ClearedElsewhere(SchemaNames names, RecorderName recorder, int lockId) {
    this.lockId = lockId;
    this.table = names.handoffTable(recorder);
    this.rows =
        Sql.in(
            names,
            ROWS,
            Map.of(
                "table", table,
                "covered", RebaseStatements.COVERED.replace("r.", "f."),
                "may_be_own", RebaseStatements.MAY_BE_OWN,
                "number_of_waiting", Quoted.literal(Long.toString(RowIdentity.WAITING)),
                "block_bits", Integer.toString(Block.BITS)));
  }

  /**
   * Refuses if there are any.
   *
   * @throws DatabaseException of kind UNUSABLE, with what can be done
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
                    Counted.rows(found.getLong(1)),
                    table,
                    Counted.word(found.getLong(1), "has", "have"),
                    found.getLong(3)));
      }
      if (found.getLong(1) > 0) {
        throw new DatabaseException(
            DatabaseErrorKind.UNUSABLE,
            """
            %s in %s %s cleared away where the table came from while it was brought here: all are \
            in slots up to %s, which are folded. Bring the table over again while \
            history = forever there; see the runbook, 'Restored databases'\
            """
                .formatted(
                    Counted.rows(found.getLong(1)),
                    table,
                    Counted.word(found.getLong(1), "was", "were"),
                    found.getLong(2)));
      }
    }
  }
}
