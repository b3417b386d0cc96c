package dev.recorder.operate;

import dev.recorder.handoff.Position;
import dev.recorder.handoff.RecorderKind;
import dev.recorder.handoff.RecorderName;
import dev.recorder.handoff.Snapshot;
import dev.recorder.operate.RecorderStatus.Backlog;
import dev.recorder.postgres.SchemaNames;
import dev.recorder.schema.PinnedLayout;
import dev.recorder.schema.RecorderRow;
import dev.recorder.schema.ServerQueries;
import dev.recorder.slotlog.LogHead;
import dev.recorder.slotlog.postgres.SlotStatements;
import dev.recorder.slotlog.postgres.WaitingRows;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What operators ask about machines, recorders and takeovers; each a statement of its own. */
final class StatusQueries {
  private final SchemaNames schemas;

  StatusQueries(SchemaNames schemas) {
    this.schemas = schemas;
  }

  List<MachineStatus> machines(Connection connection, Duration freshWithin) throws SQLException {
    String sql =
        "SELECT i.name, s.pid IS NOT NULL"
            + " AND i.update_time > clock_timestamp() - ? * interval '1 millisecond',"
            + " i.update_time, i.num_primary, i.num_secondary, i.active, i.able, i.primary_for,"
            + " i.version, i.config_hash FROM "
            + schemas.table("info_recorders")
            + " i LEFT JOIN pg_stat_activity s USING (pid, backend_start) ORDER BY i.name";
    List<MachineStatus> machines = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setLong(1, freshWithin.toMillis());
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          machines.add(machine(row));
        }
      }
    }
    return machines;
  }

  private static MachineStatus machine(ResultSet row) throws SQLException {
    return new MachineStatus(
        row.getString(1),
        row.getBoolean(2),
        row.getObject(3, OffsetDateTime.class).toInstant(),
        row.getInt(4),
        row.getInt(5),
        ids(row.getArray(6)),
        ids(row.getArray(7)),
        ids(row.getArray(8)),
        row.getString(9),
        row.getString(10));
  }

  List<RecorderStatus> recorders(Connection connection, int countUpTo) throws SQLException {
    String sql =
        "SELECT recorder, lock_id, kind, holder, epoch, first_slot, last_slot, settled_at, "
            + SlotStatements.POSITION
            + ", pg_current_snapshot()::text FROM "
            + schemas.table("lock_recorders")
            + " ORDER BY lock_id";
    List<RecorderStatus> recorders = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      while (row.next()) {
        RecorderName name = new RecorderName(row.getString(1));
        int lockId = row.getInt(2);
        String kind = row.getString(3);
        Position position = SlotStatements.position(row, 9);
        Snapshot now = Snapshot.parse(row.getString(13));
        recorders.add(
            new RecorderStatus(
                name.value(),
                lockId,
                kind,
                row.getString(4),
                row.getLong(5),
                row.getLong(6),
                row.getLong(7),
                instant(row, 8),
                kind.equals(RecorderKind.LOG.word())
                    ? backlog(connection, name, lockId, position, now, countUpTo)
                    : requests(connection, name, countUpTo)));
      }
    }
    return recorders;
  }

  /**
   * Rows beyond the position: the rest of the open window, then what came after it. Both begin in
   * the index where the recorded rows end.
   */
  private @Nullable Backlog backlog(
      Connection connection,
      RecorderName recorder,
      int lockId,
      Position position,
      Snapshot now,
      int upTo)
      throws SQLException {
    if (!ServerQueries.exists(connection, schemas.handoffTable(recorder))) {
      return null;
    }
    WaitingRows waiting = new WaitingRows(schemas, recorder, lockId);
    Snapshot open = position.open();
    int rows = 0;
    if (open != null) {
      rows = waiting.count(connection, position, open, upTo + 1);
      position = Position.doneUpTo(open);
    }
    if (rows <= upTo) {
      rows += waiting.count(connection, position, now, upTo + 1 - rows);
    }
    return new Backlog(Math.min(rows, upTo), rows > upTo);
  }

  /** Requests that wait. */
  private @Nullable Backlog requests(Connection connection, RecorderName recorder, int upTo)
      throws SQLException {
    String table = schemas.handoffTable(recorder);
    if (!ServerQueries.exists(connection, table)) {
      return null;
    }
    String sql =
        "SELECT count(*) FROM (SELECT FROM "
            + table
            + " WHERE request_status = 'new' LIMIT ?) waiting";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setInt(1, upTo + 1);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return new Backlog(Math.min(row.getInt(1), upTo), row.getInt(1) > upTo);
      }
    }
  }

  List<Takeover> takeovers(Connection connection, Optional<RecorderName> recorder, int limit)
      throws SQLException {
    String sql =
        "SELECT at, lock_id, recorder, reason, from_machine, to_machine, from_epoch, to_epoch,"
            + " silence_ms, gap_ms, last_slot, first_slot, detail FROM "
            + schemas.table("takeovers")
            + (recorder.isPresent() ? " WHERE recorder = ?" : "")
            + " ORDER BY id DESC LIMIT ?";
    List<Takeover> takeovers = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      int p = 1;
      if (recorder.isPresent()) {
        statement.setString(p++, recorder.get().value());
      }
      statement.setInt(p, limit);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          takeovers.add(takeover(row));
        }
      }
    }
    return takeovers;
  }

  private static Takeover takeover(ResultSet row) throws SQLException {
    return new Takeover(
        row.getObject(1, OffsetDateTime.class).toInstant(),
        row.getInt(2),
        row.getString(3),
        row.getString(4),
        row.getString(5),
        row.getString(6),
        row.getLong(7),
        row.getLong(8),
        row.getLong(9),
        row.getObject(10, Long.class),
        row.getLong(11),
        row.getLong(12),
        row.getString(13));
  }

  Optional<RecorderRow> recorder(Connection connection, RecorderName name) throws SQLException {
    String sql =
        "SELECT lock_id, kind, log_uuid, log_created, last_slot, first_slot, layout::text, "
            + SlotStatements.POSITION
            + " FROM "
            + schemas.table("lock_recorders")
            + " WHERE recorder = ?";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, name.value());
      try (ResultSet row = statement.executeQuery()) {
        return row.next()
            ? Optional.of(
                new RecorderRow(
                    row.getInt(1),
                    row.getString(2),
                    UUID.fromString(row.getString(3)),
                    row.getBoolean(4),
                    new LogHead(row.getLong(5), row.getLong(6), SlotStatements.position(row, 8)),
                    PinnedLayout.parse(row.getString(7))))
            : Optional.empty();
      }
    }
  }

  private static @Nullable Instant instant(ResultSet row, int column) throws SQLException {
    OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
    return time == null ? null : time.toInstant();
  }

  private static List<Integer> ids(Array array) throws SQLException {
    return List.of((Integer[]) array.getArray());
  }

  /** Raises the floor, if {@code floor} is settled and higher; the floor now, 0 without a row. */
  long raiseFloor(Connection connection, RecorderName recorder, long floor) throws SQLException {
    String sql =
        "WITH raised AS (UPDATE "
            + schemas.table("lock_recorders")
            + " SET first_slot = ? WHERE recorder = ? AND first_slot < ? AND last_slot >= ?"
            + " RETURNING first_slot)"
            + " SELECT coalesce((SELECT first_slot FROM raised), first_slot) FROM "
            + schemas.table("lock_recorders")
            + " WHERE recorder = ?";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setLong(1, floor);
      statement.setString(2, recorder.value());
      statement.setLong(3, floor);
      statement.setLong(4, floor);
      statement.setString(5, recorder.value());
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? row.getLong(1) : 0;
      }
    }
  }

  /** Notes an operator's wish; whether there was something to wish. */
  boolean wish(Connection connection, RecorderName recorder, String machine) throws SQLException {
    return update(
        connection,
        " SET switch_to = ?, switch_why = 'operator' WHERE recorder = ?"
            + " AND holder IS DISTINCT FROM ?",
        machine,
        recorder.value(),
        machine);
  }

  /** Takes an operator's wish back, if it still stands. */
  boolean withdraw(Connection connection, RecorderName recorder, String machine)
      throws SQLException {
    return update(
        connection,
        " SET switch_to = NULL, switch_why = NULL"
            + " WHERE switch_to = ? AND switch_why = 'operator' AND recorder = ?",
        machine,
        recorder.value());
  }

  private boolean update(Connection connection, String change, String... values)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("UPDATE " + schemas.table("lock_recorders") + change)) {
      for (int i = 0; i < values.length; i++) {
        statement.setString(i + 1, values[i]);
      }
      return statement.executeUpdate() == 1;
    }
  }
}
