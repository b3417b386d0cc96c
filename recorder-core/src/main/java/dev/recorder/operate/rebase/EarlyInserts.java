package dev.recorder.operate.rebase;

import dev.recorder.handoff.RecorderName;
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
 * Finds rows that applications inserted here before the sequence of the ids was set above the ids
 * of the transferred rows. After a rebase, ids alone order the waiting rows. So two rows could have
 * the same position, or newer rows could be recorded before older ones.
 *
 * <p>A row was transferred if it has no transaction number of its own, or was written here by a
 * transaction before the one that its number names. A row was inserted here if the old position
 * covers it and no object has it. It was also inserted here if all waiting rows of its transaction
 * carry that transaction's own number, since a transfer writes rows with many numbers.
 */
final class EarlyInserts {
  private static final String WRITTEN =
      """
      n.next - ((n.next - h.xmin::text::bigint) & 4294967295)\
      """;

  /** Before a comparison with objects, rows that only objects could decide prove nothing. */
  private static final String FIRST =
      """
      WITH waiting AS (
        SELECT h.id, h.xid::text::bigint AS xid, {written} AS written,
          {covered} AND {may_be_own} AS open
        FROM {table} h, {lock_recorders} r,
          (SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint AS next) n
        WHERE r.lock_id = :lock AND h.xid <> {number_of_recorded} AND NOT {recorded}),
      writers AS (
        SELECT
          CASE WHEN min(xid) = written AND max(xid) = written THEN min(id)
            ELSE min(id) FILTER (WHERE :compared AND open AND xid <= written) END AS inserted,
          max(id) FILTER (WHERE (:compared OR NOT open)
            AND (xid = {number_of_waiting} OR xid > written)) AS brought
        FROM waiting GROUP BY written)
      SELECT
        (SELECT min(id) FROM (
          SELECT id FROM waiting WHERE :compared GROUP BY id HAVING count(*) > 1) again),
        min(inserted), max(brought)
      FROM writers
      """;

  private static final String REMEDY =
      """
      ; give the rows that were inserted here new ids, then run it again: see the runbook, \
      'Restored databases'\
      """;

  private final int lockId;
  private final String table;
  private final Sql first;

  /** Creates the check for a recorder. */
  EarlyInserts(SchemaNames names, RecorderName recorder, int lockId) {
    this.lockId = lockId;
    this.table = names.handoffTable(recorder);
    this.first =
        Sql.in(
            names,
            FIRST,
            Map.of(
                "table",
                table,
                "written",
                WRITTEN,
                "covered",
                RebaseStatements.COVERED,
                "excluded",
                RebaseStatements.EXCLUDED,
                "may_be_own",
                RebaseStatements.MAY_BE_OWN,
                "recorded",
                RebaseStatements.IS_RECORDED,
                "number_of_recorded",
                Quoted.literal(Long.toString(Rebase.RECORDED)),
                "number_of_waiting",
                Quoted.literal(Long.toString(RowIdentity.WAITING))));
  }

  /**
   * Refuses if there are such rows that disturb the order. Called before waiting rows are
   * renumbered.
   *
   * @param compared whether rows that only objects could decide were compared with objects
   * @throws DatabaseException of kind UNUSABLE, with the remedy
   */
  void requireNone(Connection connection, boolean compared) throws SQLException {
    try (SqlStatement statement = first.on(connection);
        ResultSet found = statement.set("lock", lockId).set("compared", compared).query()) {
      found.next();
      long repeated = found.getLong(1);
      if (!found.wasNull()) {
        throw refused(
            """
            %s has id %s twice among the rows that come next, as when applications insert before \
            the sequence is set\
            """
                .formatted(table, repeated));
      }
      long inserted = found.getLong(2);
      boolean none = found.wasNull();
      long brought = found.getLong(3);
      if (!none && !found.wasNull() && inserted <= brought) {
        throw refused(
            """
            the row with id %s of %s was inserted here, before the sequence was set: it would be \
            recorded before that with id %s, which came from the other server and is older\
            """
                .formatted(inserted, table, brought));
      }
    }
  }

  private static DatabaseException refused(String why) {
    return new DatabaseException(DatabaseErrorKind.UNUSABLE, why + REMEDY);
  }
}
