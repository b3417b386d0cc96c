package dev.recorder.operate.site;

import dev.recorder.handoff.RecorderName;
import dev.recorder.operate.site.RecorderStatus.Backlog;
import dev.recorder.postgres.SqlStates;
import dev.recorder.postgres.sql.LatestRowVersion;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.postgres.sql.TimestampColumns;
import dev.recorder.schema.PinnedLayout;
import dev.recorder.schema.RecorderRow;
import dev.recorder.slotlog.LogChain;
import dev.recorder.slotlog.postgres.RowSecurity;
import dev.recorder.slotlog.postgres.SlotStatements;
import java.sql.Array;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Operators' queries about hosts, recorders and takeovers; each is one statement. */
public final class StatusQueries {
  private final SchemaNames schemas;
  private final BacklogQueries backlog;
  private final Sql machines;
  private final Sql recorders;
  private final Sql recorder;
  private final Sql raiseFloor;

  public StatusQueries(SchemaNames schemas) {
    Map<String, String> pieces =
        Map.of(
            "position", SlotStatements.POSITION,
            "standing", SlotStatements.STANDING,
            "logs", LatestRowVersion.LOGS,
            "machines", LatestRowVersion.MACHINES);
    this.schemas = schemas;
    this.backlog = new BacklogQueries(schemas);
    this.machines = Sql.in(schemas, MACHINES, pieces);
    this.recorders = Sql.in(schemas, RECORDERS, pieces);
    this.recorder = Sql.in(schemas, RECORDER, pieces);
    this.raiseFloor = Sql.in(schemas, RAISE_FLOOR);
  }

  /** A term of a session that a host has lost does not count among its active terms. */
  private static final String MACHINES =
      """
      WITH RECURSIVE {machines}, {logs}
      SELECT i.name, s.pid IS NOT NULL
          AND i.update_time > clock_timestamp() - :freshWithin * interval '1 millisecond' AS fresh,
        i.update_time, i.num_primary, i.num_secondary, i.able, i.primary_for, i.version,
        i.config_hash,
        ARRAY (
          SELECT lock_id FROM logs r WHERE r.holder = i.name AND r.holder_pid = i.pid
            AND r.holder_backend_start = i.backend_start
          ORDER BY lock_id) AS active
      FROM machines i LEFT JOIN pg_stat_activity s USING (pid, backend_start)
      ORDER BY i.name
      """;

  public List<MachineStatus> machines(Connection connection, Duration freshWithin)
      throws SQLException {
    try (SqlStatement statement = machines.on(connection)) {
      return statement.set("freshWithin", freshWithin.toMillis()).all(StatusQueries::machine);
    }
  }

  private static MachineStatus machine(ResultSet row) throws SQLException {
    return new MachineStatus(
        row.getString("name"),
        row.getBoolean("fresh"),
        TimestampColumns.time(row, "update_time"),
        row.getInt("num_primary"),
        row.getInt("num_secondary"),
        ids(row.getArray("active")),
        ids(row.getArray("able")),
        ids(row.getArray("primary_for")),
        row.getString("version"),
        row.getString("config_hash"));
  }

  private static final String RECORDERS =
      """
      WITH RECURSIVE {logs}
      SELECT recorder, lock_id, kind, holder, epoch, first_slot, last_slot, settled_at,
        {position}, pg_current_snapshot()::text AS now_snapshot,
        EXISTS (
          SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
          WHERE n.nspname = :handoff::name AND c.relname = recorder::name) AS has_table
      FROM logs
      ORDER BY lock_id
      """;

  public List<RecorderStatus> recorders(Connection connection, int countUpTo) throws SQLException {
    return recorders(connection, countUpTo, (lockId, oldest) -> {});
  }

  /**
   * Reads all recorders; passes to {@code oldest}, by lockid, when the next waiting row was
   * inserted.
   */
  public List<RecorderStatus> recorders(
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
    RecorderName name = new RecorderName(row.getString("recorder"));
    Backlog waiting = waits(row, connection, name, countUpTo, oldest);
    return new RecorderStatus(
        name.value(),
        row.getInt("lock_id"),
        row.getString("kind"),
        row.getString("holder"),
        row.getLong("epoch"),
        row.getLong("first_slot"),
        row.getLong("last_slot"),
        TimestampColumns.instant(row, "settled_at"),
        waiting);
  }

  /**
   * Counts waiting rows; null if the table does not exist, is exclusively locked, or has another
   * form.
   */
  private @Nullable Backlog waits(
      ResultSet row,
      Connection connection,
      RecorderName name,
      int countUpTo,
      BiConsumer<Integer, Instant> oldest)
      throws SQLException {
    boolean hasTable = row.getBoolean("has_table");
    if (!hasTable) {
      return null;
    }
    try {
      Backlog waiting = backlog.of(row, connection, name, countUpTo);
      Instant since = waiting.rows() == 0 ? null : backlog.oldest(row, connection, name);
      if (since != null) {
        oldest.accept(row.getInt("lock_id"), since);
      }
      return waiting;
    } catch (SQLException e) {
      if (SqlStates.isOfOneTable(e) || isHidden(connection, name)) {
        return null;
      }
      throw e;
    }
  }

  /** Whether a policy on the table hides rows from this role. */
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

  public List<Takeover> takeovers(Connection connection, Optional<RecorderName> recorder, int limit)
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
        TimestampColumns.time(row, "at"),
        row.getInt("lock_id"),
        row.getString("recorder"),
        row.getString("reason"),
        row.getString("from_machine"),
        row.getString("to_machine"),
        row.getLong("from_epoch"),
        row.getLong("to_epoch"),
        row.getLong("silence_ms"),
        row.getObject("gap_ms", Long.class),
        row.getLong("last_slot"),
        row.getLong("first_slot"),
        row.getString("detail"));
  }

  private static final String RECORDER =
      """
      SELECT lock_id, kind, log_created, layout::text, {standing}
      FROM {lock_recorders} WHERE recorder = :recorder
      """;

  public Optional<RecorderRow> recorder(Connection connection, RecorderName name)
      throws SQLException {
    try (SqlStatement statement = recorder.on(connection)) {
      return statement
          .set("recorder", name.value())
          .first(
              row ->
                  new RecorderRow(
                      row.getInt("lock_id"),
                      row.getString("kind"),
                      UUID.fromString(row.getString("log_uuid")),
                      row.getBoolean("log_created"),
                      SlotStatements.head(row),
                      PinnedLayout.parse(row.getString("layout"))));
    }
  }

  private static List<Integer> ids(Array array) throws SQLException {
    return List.of((Integer[]) array.getArray());
  }

  private static final String RAISE_FLOOR =
      """
      WITH raised AS (
        UPDATE {lock_recorders} SET first_slot = :floor, floor_chain = :chain
        WHERE recorder = :recorder AND first_slot < :floor AND last_slot >= :floor
        RETURNING first_slot)
      SELECT coalesce((SELECT first_slot FROM raised), first_slot)
      FROM {lock_recorders} WHERE recorder = :recorder
      """;

  /**
   * Raises the floor, if {@code floor} is settled and higher; returns the floor, or 0 without a
   * row.
   *
   * @param below the chain of the slots below the floor; null if unknown
   */
  public long raiseFloor(
      Connection connection, RecorderName recorder, long floor, @Nullable LogChain below)
      throws SQLException {
    try (SqlStatement statement = raiseFloor.on(connection)) {
      return statement
          .set("floor", floor)
          .set("chain", below == null ? null : below.hash())
          .set("recorder", recorder.value())
          .first(row -> row.getLong(1))
          .orElse(0L);
    }
  }
}
