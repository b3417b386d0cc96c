package dev.recorder.audit.postgres;

import dev.recorder.audit.BlockRanges;
import dev.recorder.audit.LogRecords;
import dev.recorder.audit.objects.SlotPlan;
import dev.recorder.handoff.DatabaseIdentity;
import dev.recorder.handoff.RecorderName;
import dev.recorder.handoff.RowKey;
import dev.recorder.handoff.Snapshot;
import dev.recorder.handoff.Window;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
import dev.recorder.postgres.LockWaitDiagnosis;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlFunction;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.slotlog.LogChain;
import dev.recorder.slotlog.SlotContent.Extent;
import dev.recorder.slotlog.postgres.SlotStatements;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.UUID;

/**
 * The records of a log that the verifier reads, in PostgreSQL; {@link StoredRows} reads the rows.
 */
public final class JdbcLogRecords implements LogRecords {
  private final Connection connection;
  private final SchemaNames schemas;
  private final int lockId;
  private final String table;
  private final Sql settled;
  private final Sql clearedBlocks;
  private final Sql plans;
  private final Sql plansFrom;
  private final Sql slotOf;

  public JdbcLogRecords(
      Connection connection, SchemaNames schemas, RecorderName recorder, int lockId) {
    this.connection = connection;
    this.schemas = schemas;
    this.lockId = lockId;
    this.table = schemas.handoffTable(recorder);
    this.settled = Sql.in(schemas, SETTLED, Map.of("standing", SlotStatements.STANDING));
    this.clearedBlocks = Sql.in(schemas, CLEARED);
    this.plans = Sql.in(schemas, PLANS);
    this.plansFrom = Sql.in(schemas, PLANS_FROM);
    this.slotOf = Sql.in(schemas, SLOT_OF);
  }

  private static final String SETTLED =
      """
      SELECT {standing}, floor_chain, rebased_slot,
        array_to_string(former_databases || database, chr(10)) AS databases
      FROM {lock_recorders} WHERE lock_id = :lock
      """;

  @Override
  public SettledLog settled() {
    BlockRanges cleared = cleared();
    return ask(
            settled, statement -> statement.set("lock", lockId).first(row -> settled(row, cleared)))
        .orElseThrow(
            () ->
                new DatabaseException(
                    DatabaseErrorKind.UNUSABLE, "lockid " + lockId + " has no row"));
  }

  private static SettledLog settled(ResultSet row, BlockRanges cleared) throws SQLException {
    String floor = row.getString("floor_chain");
    return new SettledLog(
        UUID.fromString(row.getString("log_uuid")),
        SlotStatements.head(row),
        floor == null ? null : new LogChain(floor),
        row.getLong("rebased_slot"),
        cleared,
        DatabaseIdentity.parseLines(row.getString("databases")));
  }

  private static final String CLEARED =
      """
      SELECT coalesce(first_block, block), block
      FROM {blocks} WHERE lock_id = :lock AND cleared_at IS NOT NULL
      """;

  private BlockRanges cleared() {
    return BlockRanges.of(
        ask(
            clearedBlocks,
            statement ->
                statement
                    .set("lock", lockId)
                    .all(row -> new BlockRanges.BlockRange(row.getLong(1), row.getLong(2)))));
  }

  /**
   * A plan that came with a dump has another server's window, which is left out; its slot was
   * adopted by rows.
   */
  private static final String PLANS =
      """
      SELECT sha256,
        CASE WHEN slot <= rebased_slot OR s.epoch > rebased_epoch THEN window_from::text END
          AS window_from,
        window_to::text, window_complete, row_count,
        first_xid::text, first_id, last_xid::text, last_id, bytes
      FROM {slots} s JOIN {lock_recorders} USING (lock_id)
      WHERE lock_id = :lock AND slot = :slot ORDER BY planned_at
      """;

  @Override
  public List<SlotPlan> plans(long slot) {
    return ask(
        plans,
        statement -> statement.set("lock", lockId).set("slot", slot).all(JdbcLogRecords::plan));
  }

  private static SlotPlan plan(ResultSet row) throws SQLException {
    String from = row.getString("window_from");
    Window window =
        from == null
            ? null
            : new Window(
                Snapshot.parse(from),
                Snapshot.parse(row.getString("window_to")),
                row.getBoolean("window_complete"));
    return new SlotPlan(
        row.getString("sha256"),
        window,
        new Extent(
            row.getInt("row_count"),
            Long.parseLong(row.getString("first_xid")),
            row.getLong("first_id"),
            Long.parseLong(row.getString("last_xid")),
            row.getLong("last_id")),
        row.getLong("bytes"));
  }

  /** Uses the index of the primary key. The last slot always has its row. */
  private static final String PLANS_FROM =
      """
      SELECT least(r.last_slot, (
        SELECT s.slot FROM {slots} s WHERE s.lock_id = r.lock_id
        ORDER BY s.lock_id, s.slot LIMIT 1))
      FROM {lock_recorders} r WHERE r.lock_id = :lock
      """;

  @Override
  public long plansFrom() {
    return ask(plansFrom, statement -> statement.set("lock", lockId).number());
  }

  private static final String SLOT_OF =
      """
      SELECT min(slot) FROM {slots}
      WHERE lock_id = :lock AND pg_visible_in_snapshot(:xid::xid8, window_to)
        AND NOT pg_visible_in_snapshot(:xid::xid8, window_from)
        AND (window_complete OR (:xid::xid8, :id::bigint) <= (last_xid, last_id))
      """;

  @Override
  public OptionalLong slotOf(RowKey row) {
    return ask(
        slotOf,
        statement ->
            number(
                statement
                    .set("lock", lockId)
                    .set("xid", Long.toUnsignedString(row.xid()))
                    .set("id", row.id())));
  }

  @Override
  public String remedy(List<RowKey> lost) {
    return new LostRows(table).remedy(lost);
  }

  private static OptionalLong number(SqlStatement statement) throws SQLException {
    try (ResultSet row = statement.query()) {
      row.next();
      long number = row.getLong(1);
      return row.wasNull() ? OptionalLong.empty() : OptionalLong.of(number);
    }
  }

  private <T> T ask(Sql sql, SqlFunction<SqlStatement, T> asking) {
    try (SqlStatement statement = sql.on(connection)) {
      return asking.apply(statement);
    } catch (SQLException e) {
      throw LockWaitDiagnosis.of(connection, e, schemas);
    }
  }
}
