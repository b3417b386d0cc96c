package dev.recorder.audit.postgres;

import dev.recorder.audit.LogRecords;
import dev.recorder.audit.SlotPlan;
import dev.recorder.handoff.RecorderName;
import dev.recorder.handoff.RowKey;
import dev.recorder.handoff.Snapshot;
import dev.recorder.handoff.Window;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseException.Kind;
import dev.recorder.postgres.SchemaNames;
import dev.recorder.postgres.SqlAction;
import dev.recorder.postgres.SqlFunction;
import dev.recorder.slotlog.LogHead;
import dev.recorder.slotlog.SlotContent.Extent;
import dev.recorder.slotlog.postgres.SlotStatements;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;

/** What the verifier asks about a log, over PostgreSQL; {@link StoredRows} reads its rows. */
public final class JdbcLogRecords implements LogRecords {
  private final Connection connection;
  private final int lockId;
  private final String table;
  private final String settledSql;
  private final String plansSql;
  private final String slotOfSql;
  private final String oldestSql;

  public JdbcLogRecords(
      Connection connection, SchemaNames schemas, RecorderName recorder, int lockId) {
    this.connection = connection;
    this.lockId = lockId;
    this.table = schemas.handoffTable(recorder);
    this.settledSql =
        "SELECT log_uuid, last_slot, first_slot, rebased_slot, "
            + SlotStatements.POSITION
            + " FROM "
            + schemas.table("lock_recorders")
            + " WHERE lock_id = ?";
    this.plansSql =
        // A plan that came with a dump has another server's window; its slot was adopted by rows.
        "SELECT sha256,"
            + " CASE WHEN slot <= rebased_slot OR s.epoch > rebased_epoch THEN window_from::text END,"
            + " window_to::text, window_complete, row_count,"
            + " first_xid::text, first_id, last_xid::text, last_id FROM "
            + schemas.table("slots")
            + " s JOIN "
            + schemas.table("lock_recorders")
            + " USING (lock_id) WHERE lock_id = ? AND slot = ? ORDER BY planned_at";
    this.slotOfSql =
        "SELECT min(slot) FROM "
            + schemas.table("slots")
            + " WHERE lock_id = ? AND pg_visible_in_snapshot(?::xid8, window_to)"
            + " AND NOT pg_visible_in_snapshot(?::xid8, window_from)"
            + " AND (window_complete OR (?::xid8, ?::bigint) <= (last_xid, last_id))";
    this.oldestSql = "SELECT (extract(epoch FROM min(time)) * 1000000)::bigint FROM " + table;
  }

  @Override
  public Settled settled() {
    return ask(
        settledSql,
        statement -> statement.setInt(1, lockId),
        row -> {
          if (!row.next()) {
            throw new DatabaseException(Kind.UNUSABLE, "lockid " + lockId + " has no row");
          }
          return new Settled(
              UUID.fromString(row.getString(1)),
              new LogHead(row.getLong(2), row.getLong(3), SlotStatements.position(row, 5)),
              row.getLong(4));
        });
  }

  @Override
  public List<SlotPlan> plans(long slot) {
    return ask(
        plansSql,
        statement -> {
          statement.setInt(1, lockId);
          statement.setLong(2, slot);
        },
        row -> {
          List<SlotPlan> plans = new ArrayList<>();
          while (row.next()) {
            plans.add(plan(row));
          }
          return plans;
        });
  }

  private static SlotPlan plan(ResultSet row) throws SQLException {
    String from = row.getString(2);
    Window window =
        from == null
            ? null
            : new Window(Snapshot.parse(from), Snapshot.parse(row.getString(3)), row.getBoolean(4));
    return new SlotPlan(
        row.getString(1),
        window,
        new Extent(
            row.getInt(5),
            Long.parseLong(row.getString(6)),
            row.getLong(7),
            Long.parseLong(row.getString(8)),
            row.getLong(9)));
  }

  @Override
  public OptionalLong slotOf(RowKey row) {
    return ask(
        slotOfSql,
        statement -> {
          String xid = Long.toUnsignedString(row.xid());
          statement.setInt(1, lockId);
          statement.setString(2, xid);
          statement.setString(3, xid);
          statement.setString(4, xid);
          statement.setLong(5, row.id());
        },
        JdbcLogRecords::number);
  }

  private static OptionalLong number(ResultSet row) throws SQLException {
    row.next();
    long number = row.getLong(1);
    return row.wasNull() ? OptionalLong.empty() : OptionalLong.of(number);
  }

  @Override
  public String remedy(List<RowKey> lost) {
    return new LostRows(table).remedy(lost);
  }

  @Override
  public OptionalLong oldestTimeMicros() {
    return ask(oldestSql, statement -> {}, JdbcLogRecords::number);
  }

  private <T> T ask(
      String sql, SqlAction<PreparedStatement> binding, SqlFunction<ResultSet, T> reading) {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      binding.apply(statement);
      try (ResultSet rows = statement.executeQuery()) {
        return reading.apply(rows);
      }
    } catch (SQLException e) {
      throw DatabaseException.of(e);
    }
  }
}
