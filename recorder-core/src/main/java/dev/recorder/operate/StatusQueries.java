package dev.recorder.operate;

import dev.recorder.handoff.RecorderName;
import dev.recorder.operate.RecorderStatus.Backlog;
import dev.recorder.postgres.SqlStates;
import dev.recorder.postgres.sql.LatestVersion;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.schema.PinnedLayout;
import dev.recorder.schema.RecorderRow;
import dev.recorder.slotlog.LogHead;
import dev.recorder.slotlog.postgres.RowSecurity;
import dev.recorder.slotlog.postgres.SlotStatements;
import java.sql.Array;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** What operators ask about machines, recorders and takeovers; each a statement of its own. */
final class StatusQueries {
  private final SchemaNames schemas;
  private final BacklogQueries backlog;
  private final Sql machines;
  private final Sql recorders;
  private final Sql recorder;
  private final Sql raiseFloor;

  StatusQueries(SchemaNames schemas) {
    Map<String, String> pieces =
        Map.of(
            "position", SlotStatements.POSITION,
            "logs", LatestVersion.LOGS,
            "machines", LatestVersion.MACHINES);
    this.schemas = schemas;
    this.backlog = new BacklogQueries(schemas);
    this.machines = Sql.in(schemas, MACHINES, pieces);
    this.recorders = Sql.in(schemas, RECORDERS, pieces);
    this.recorder = Sql.in(schemas, RECORDER, pieces);
    this.raiseFloor = Sql.in(schemas, RAISE_FLOOR);
  }

  private static final String MACHINES =
      """
      WITH RECURSIVE {machines}
      SELECT i.name, s.pid IS NOT NULL
          AND i.update_time > clock_timestamp() - :freshWithin * interval '1 millisecond',
        i.update_time, i.num_primary, i.num_secondary, i.active, i.able, i.primary_for,
        i.version, i.config_hash
      FROM machines i LEFT JOIN pg_stat_activity s USING (pid, backend_start)
      ORDER BY i.name
      """;

  List<MachineStatus> machines(Connection connection, Duration freshWithin) throws SQLException {
    try (SqlStatement statement = machines.on(connection)) {
      return statement.set("freshWithin", freshWithin.toMillis()).all(StatusQueries::machine);
    }
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

  private static final String RECORDERS =
      """
      WITH RECURSIVE {logs}
      SELECT recorder, lock_id, kind, holder, epoch, first_slot, last_slot, settled_at,
        {position}, pg_current_snapshot()::text,
        EXISTS (
          SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
          WHERE n.nspname = :handoff::name AND c.relname = recorder::name)
      FROM logs
      ORDER BY lock_id
      """;

  List<RecorderStatus> recorders(Connection connection, int countUpTo) throws SQLException {
    return recorders(connection, countUpTo, (lockId, oldest) -> {});
  }

  /** Tells {@code oldest}, by lockid, when what comes next was handed over. */
  List<RecorderStatus> recorders(
      Connection connection, int countUpTo, BiConsumer<Integer, Instant> oldest)
      throws SQLException {
    try (SqlStatement statement = recorders.on(connection)) {
      return statement
          .set("handoff", schemas.handoff())
          .all(row -> recorder(row, connection, countUpTo, oldest));
    }
  }

  private RecorderStatus recorder(
      ResultSet row, Connection connection, int countUpTo, BiConsumer<Integer, Instant> oldest)
      throws SQLException {
    RecorderName name = new RecorderName(row.getString(1));
    Backlog waiting = waits(row, connection, name, countUpTo, oldest);
    return new RecorderStatus(
        name.value(),
        row.getInt(2),
        row.getString(3),
        row.getString(4),
        row.getLong(5),
        row.getLong(6),
        row.getLong(7),
        instant(row, 8),
        waiting);
  }

  /**
   * Null if there is no table, or one that somebody has locked for themselves alone, or changed.
   */
  private @Nullable Backlog waits(
      ResultSet row,
      Connection connection,
      RecorderName name,
      int countUpTo,
      BiConsumer<Integer, Instant> oldest)
      throws SQLException {
    boolean hasTable = row.getBoolean(14);
    if (!hasTable) {
      return null;
    }
    try {
      Backlog waiting = backlog.of(row, connection, name, countUpTo);
      Instant since = waiting.rows() == 0 ? null : backlog.oldest(row, connection, name);
      if (since != null) {
        oldest.accept(row.getInt(2), since);
      }
      return waiting;
    } catch (SQLException e) {
      if (SqlStates.isOfOneTable(e) || isHidden(connection, name)) {
        return null;
      }
      throw e;
    }
  }

  /** A policy on it keeps this role from reading any of it. */
  private boolean isHidden(Connection connection, RecorderName name) throws SQLException {
    return !new RowSecurity(schemas, name).fault(connection).isEmpty();
  }

  private static final String TAKEOVERS =
      """
      SELECT at, lock_id, recorder, reason, from_machine, to_machine, from_epoch, to_epoch,
        silence_ms, gap_ms, last_slot, first_slot, detail
      FROM {takeovers} {of_recorder}
      ORDER BY id DESC LIMIT :limit
      """;

  List<Takeover> takeovers(Connection connection, Optional<RecorderName> recorder, int limit)
      throws SQLException {
    String ofRecorder = recorder.isPresent() ? "WHERE recorder = :recorder" : "";
    Sql sql = Sql.in(schemas, TAKEOVERS, Map.of("of_recorder", ofRecorder));
    try (SqlStatement statement = sql.on(connection)) {
      if (recorder.isPresent()) {
        statement.set("recorder", recorder.get().value());
      }
      return statement.set("limit", limit).all(StatusQueries::takeover);
    }
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

  private static final String RECORDER =
      """
      SELECT lock_id, kind, log_uuid, log_created, last_slot, first_slot, layout::text, {position}
      FROM {lock_recorders} WHERE recorder = :recorder
      """;

  Optional<RecorderRow> recorder(Connection connection, RecorderName name) throws SQLException {
    try (SqlStatement statement = recorder.on(connection)) {
      return statement
          .set("recorder", name.value())
          .first(
              row ->
                  new RecorderRow(
                      row.getInt(1),
                      row.getString(2),
                      UUID.fromString(row.getString(3)),
                      row.getBoolean(4),
                      new LogHead(row.getLong(5), row.getLong(6), SlotStatements.position(row, 8)),
                      PinnedLayout.parse(row.getString(7))));
    }
  }

  private static @Nullable Instant instant(ResultSet row, int column) throws SQLException {
    OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
    return time == null ? null : time.toInstant();
  }

  private static List<Integer> ids(Array array) throws SQLException {
    return List.of((Integer[]) array.getArray());
  }

  private static final String RAISE_FLOOR =
      """
      WITH raised AS (
        UPDATE {lock_recorders} SET first_slot = :floor
        WHERE recorder = :recorder AND first_slot < :floor AND last_slot >= :floor
        RETURNING first_slot)
      SELECT coalesce((SELECT first_slot FROM raised), first_slot)
      FROM {lock_recorders} WHERE recorder = :recorder
      """;

  /** Raises the floor, if {@code floor} is settled and higher; the floor now, 0 without a row. */
  long raiseFloor(Connection connection, RecorderName recorder, long floor) throws SQLException {
    try (SqlStatement statement = raiseFloor.on(connection)) {
      return statement
          .set("floor", floor)
          .set("recorder", recorder.value())
          .first(row -> row.getLong(1))
          .orElse(0L);
    }
  }
}
