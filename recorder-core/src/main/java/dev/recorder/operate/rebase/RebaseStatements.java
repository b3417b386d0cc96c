package dev.recorder.operate.rebase;

import dev.recorder.handoff.RecordedLine;
import dev.recorder.handoff.RecorderName;
import dev.recorder.logging.Plurals;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlArrays;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.slotlog.LogHead;
import dev.recorder.slotlog.postgres.RowIdentity;
import dev.recorder.slotlog.postgres.SlotStatements;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/** The SQL of a {@link Rebase}, which has the order of the statements and their transactions. */
final class RebaseStatements {
  /** Whether the position {@code r} covers a row {@code h} as recorded. */
  static final String COVERED =
      """
      (pg_visible_in_snapshot(h.xid, r.done_snapshot)
          OR (r.open_snapshot IS NOT NULL AND pg_visible_in_snapshot(h.xid, r.open_snapshot)
            AND (h.xid, h.id) <= (r.open_xid, r.open_id)))\
      """;

  /** Whether an adopted object has the row. */
  static final String EXCLUDED =
      """
      EXISTS (SELECT FROM {exclusions} e
          WHERE e.lock_id = r.lock_id AND e.xid = h.xid AND e.id = h.id)\
      """;

  /** Whether this server may have assigned the row's number. */
  static final String MAY_BE_OWN =
      """
      (h.xid > {number_of_waiting}
          AND h.xid < pg_snapshot_xmax(pg_current_snapshot())::text::xid8)\
      """;

  static final String IS_RECORDED = "({excluded} OR ({covered} AND NOT {may_be_own}))";

  private final int lockId;
  private final RowIdentity identity;
  private final String table;
  private final Sql head;
  private final Sql count;
  private final Sql slotsToCompare;
  private final Sql renumberMatching;
  private final Sql undecided;
  private final Sql renumberRest;

  RebaseStatements(SchemaNames names, RecorderName recorder, int lockId) {
    this.lockId = lockId;
    this.identity = new RowIdentity(names, recorder);
    this.table = names.handoffTable(recorder);
    Map<String, String> pieces =
        Map.of(
            "table", table,
            "named", RowIdentity.NAMED,
            "standing", SlotStatements.STANDING,
            "covered", COVERED,
            "excluded", EXCLUDED,
            "may_be_own", MAY_BE_OWN,
            "recorded", IS_RECORDED,
            "number_of_recorded", Quoted.literal(Long.toString(Rebase.RECORDED)),
            "number_of_waiting", Quoted.literal(Long.toString(RowIdentity.WAITING)));
    this.head = Sql.in(names, HEAD, pieces);
    this.count = Sql.in(names, COUNT, pieces);
    this.slotsToCompare = Sql.in(names, SLOTS_TO_COMPARE);
    this.renumberMatching = Sql.in(names, RENUMBER_MATCHING, pieces);
    this.undecided = Sql.in(names, UNDECIDED, pieces);
    this.renumberRest = Sql.in(names, RENUMBER_REST, pieces);
  }

  /**
   * The rows by state.
   *
   * @param undecided rows that the position covers, but whose number this server may have assigned
   */
  record Counts(long recorded, long waiting, long undecided) {
    Counts plusRecorded(long more) {
      return new Counts(recorded + more, waiting, undecided);
    }
  }

  private static final String HEAD =
      """
      SELECT {standing} FROM {lock_recorders} WHERE lock_id = :lock
      """;

  LogHead head(Connection connection) throws SQLException {
    try (SqlStatement statement = head.on(connection);
        ResultSet row = statement.set("lock", lockId).query()) {
      row.next();
      return SlotStatements.head(row);
    }
  }

  private static final String COUNT =
      """
      SELECT count(*) FILTER (WHERE recorded),
        count(*) FILTER (WHERE NOT recorded AND NOT open),
        count(*) FILTER (WHERE NOT recorded AND open)
      FROM (
        SELECT {recorded} AS recorded, {covered} AND {may_be_own} AS open
        FROM {table} h, {lock_recorders} r WHERE r.lock_id = :lock) counted
      """;

  Counts count(Connection connection) throws SQLException {
    try (SqlStatement statement = count.on(connection)) {
      return statement
          .set("lock", lockId)
          .first(row -> new Counts(row.getLong(1), row.getLong(2), row.getLong(3)))
          .orElseThrow();
    }
  }

  private static final String SLOTS_TO_COMPARE =
      """
      SELECT DISTINCT s.slot FROM {slots} s JOIN {lock_recorders} r USING (lock_id)
      WHERE r.lock_id = :lock AND s.slot > r.rebased_slot AND s.slot <= r.last_slot
        AND s.window_to IS NOT NULL
        AND s.first_xid < pg_snapshot_xmax(pg_current_snapshot())::text::xid8
      ORDER BY 1
      """;

  /**
   * Returns the settled slots since the last rebase that may hold rows with numbers that this
   * server has assigned, too.
   */
  List<Long> slotsToCompare(Connection connection) throws SQLException {
    try (SqlStatement statement = slotsToCompare.on(connection)) {
      return statement.set("lock", lockId).all(row -> row.getLong(1));
    }
  }

  private static final String RENUMBER_MATCHING =
      """
      UPDATE {table} h SET xid = {number_of_recorded}
      FROM {named}
      WHERE h.xid = named.xid AND h.id = named.id
      """;

  /** Marks the rows that are among {@code lines} of an object as recorded; returns their number. */
  long renumberMatching(Connection connection, List<RecordedLine> lines) throws SQLException {
    if (lines.isEmpty()) {
      return 0;
    }
    try (SqlStatement statement = renumberMatching.on(connection)) {
      return RowIdentity.bind(statement, identity.matching(connection, lines)).update();
    }
  }

  private static final String UNDECIDED =
      """
      SELECT count(*), min(s.slot), max(s.slot)
      FROM {table} h
      JOIN {slots} s ON s.lock_id = :lock AND s.slot = ANY (:slots::bigint[])
        AND (h.xid, h.id) BETWEEN (s.first_xid, s.first_id) AND (s.last_xid, s.last_id),
        {lock_recorders} r
      WHERE r.lock_id = s.lock_id AND {covered} AND {may_be_own} AND NOT {excluded}
      """;

  /** Refuses if undecided rows may be in one of these objects, which have expired. */
  void requireDecided(Connection connection, List<Long> absent) throws SQLException {
    if (absent.isEmpty()) {
      return;
    }
    try (SqlStatement statement = undecided.on(connection);
        ResultSet found =
            statement.set("lock", lockId).set("slots", SqlArrays.of(absent)).query()) {
      found.next();
      long last = found.getLong(3);
      if (!found.wasNull()) {
        throw new DatabaseException(
            DatabaseErrorKind.UNUSABLE,
            """
            %s in %s may be recorded already, in slots %s to %s, which have expired; restore \
            those objects, or delete the rows that came with the dump and are older than slot %s\
            """
                .formatted(
                    Plurals.rows(found.getLong(1)), table, found.getLong(2), last, last + 1));
      }
    }
  }

  private static final String RENUMBER_REST =
      """
      WITH told AS (
        UPDATE {table} h SET xid =
          CASE WHEN {recorded} THEN {number_of_recorded}::xid8 ELSE {number_of_waiting}::xid8 END
        FROM {lock_recorders} r
        WHERE r.lock_id = :lock AND h.xid <> {number_of_recorded}
        RETURNING h.xid)
      SELECT count(*) FILTER (WHERE xid = {number_of_recorded}),
        count(*) FILTER (WHERE xid = {number_of_waiting})
      FROM told
      """;

  /** Renumbers all other rows that this transaction sees. */
  Counts renumberRest(Connection connection) throws SQLException {
    try (SqlStatement statement = renumberRest.on(connection)) {
      return statement
          .set("lock", lockId)
          .first(row -> new Counts(row.getLong(1), row.getLong(2), 0))
          .orElseThrow();
    }
  }
}
