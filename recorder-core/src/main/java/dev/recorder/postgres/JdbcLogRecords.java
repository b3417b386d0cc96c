package dev.recorder.postgres;

import dev.recorder.audit.LogRecords;
import dev.recorder.audit.RowKey;
import dev.recorder.audit.SlotPlan;
import dev.recorder.handoff.HandoffRow;
import dev.recorder.handoff.Position;
import dev.recorder.handoff.RecorderName;
import dev.recorder.handoff.Snapshot;
import dev.recorder.handoff.Window;
import dev.recorder.postgres.DatabaseException.Kind;
import dev.recorder.slotlog.LogHead;
import dev.recorder.slotlog.SlotContent.Extent;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What the verifier asks, over PostgreSQL. Long windows are read a page at a time, each a short
 * transaction: a snapshot given by name sees the same rows in all of them.
 */
public final class JdbcLogRecords implements LogRecords {
  private static final int PAGE = 50_000;

  private final Connection connection;
  private final int lockId;
  private final HandoffQuery query;
  private final String settledSql;
  private final String plansSql;
  private final String excludedSql;
  private final String oldestSql;

  JdbcLogRecords(Connection connection, SchemaNames schemas, RecorderName recorder, int lockId) {
    this.connection = connection;
    this.lockId = lockId;
    this.query = new HandoffQuery(schemas, recorder, lockId);
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
    this.excludedSql =
        "SELECT "
            + HandoffQuery.COLUMNS
            + " FROM "
            + schemas.table("exclusions")
            + " e JOIN "
            + schemas.handoffTable(recorder)
            + " h ON h.xid = e.xid AND h.id = e.id"
            // A row that a rebase has renumbered stands in such an object under its old number.
            + " WHERE e.lock_id = ? AND e.slot = ? AND e.xid > '"
            + Rebase.WAITING
            + "' ORDER BY h.xid, h.id";
    this.oldestSql =
        "SELECT (extract(epoch FROM min(time)) * 1000000)::bigint FROM "
            + schemas.handoffTable(recorder);
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
  public void rows(Position from, Snapshot to, @Nullable RowKey last, Consumer<HandoffRow> sink) {
    Position next = from;
    while (next != null) {
      next = page(next, to, last, sink);
    }
  }

  /** Reads one page; returns where the next begins, or null after the last. */
  private @Nullable Position page(
      Position from, Snapshot to, @Nullable RowKey last, Consumer<HandoffRow> sink) {
    // A cursor lives in a transaction.
    try (Transaction cursor = Transaction.begin(connection);
        PreparedStatement statement = query.prepare(connection, from, to, PAGE);
        ResultSet rows = statement.executeQuery()) {
      HandoffRow row = null;
      int read = 0;
      while (rows.next()) {
        row = HandoffQuery.row(rows);
        if (last != null && new RowKey(row.xid(), row.id()).compareTo(last) > 0) {
          return null;
        }
        sink.accept(row);
        read++;
      }
      return row == null || read < PAGE ? null : new Position(from.done(), to, row.xid(), row.id());
    } catch (SQLException e) {
      throw DatabaseException.of(e);
    }
  }

  @Override
  public void excludedBy(long slot, Consumer<HandoffRow> sink) {
    ask(
        excludedSql,
        statement -> {
          statement.setInt(1, lockId);
          statement.setLong(2, slot);
        },
        row -> {
          while (row.next()) {
            sink.accept(HandoffQuery.row(row));
          }
          return true;
        });
  }

  @Override
  public OptionalLong oldestTimeMicros() {
    return ask(
        oldestSql,
        statement -> {},
        row -> {
          row.next();
          long oldest = row.getLong(1);
          return row.wasNull() ? OptionalLong.empty() : OptionalLong.of(oldest);
        });
  }

  @FunctionalInterface
  private interface Binding {
    void to(PreparedStatement statement) throws SQLException;
  }

  @FunctionalInterface
  private interface Reading<T> {
    T from(ResultSet rows) throws SQLException;
  }

  private <T> T ask(String sql, Binding binding, Reading<T> reading) {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      binding.to(statement);
      try (ResultSet rows = statement.executeQuery()) {
        return reading.from(rows);
      }
    } catch (SQLException e) {
      throw DatabaseException.of(e);
    }
  }
}
