package dev.recorder.operate.orders;

import dev.recorder.handoff.RecorderName;
import dev.recorder.operate.Inspection;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.settings.SettingOverrides;
import dev.recorder.postgres.sql.LatestRowVersion;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlFunction;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.postgres.sql.TimestampColumns;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Pauses recorders for a time that the server measures, and resumes them. The holder of a paused
 * recorder keeps it and sends heartbeats, but reads and writes no rows; no row is lost. Uses the
 * session of its {@link Inspection}. Its methods throw {@link DatabaseException}.
 */
public final class Pauses {
  private final InspectionSession session;
  private final SchemaNames schemas;

  public Pauses(Connection connection, SchemaNames schemas) {
    this.session = new InspectionSession(connection, schemas);
    this.schemas = schemas;
  }

  private static final String PAUSE =
      """
      WITH asked AS MATERIALIZED (
        SELECT clock_timestamp() + :lasts * interval '1 millisecond' AS until),
      paused AS (
        UPDATE {lock_recorders} r SET paused_until = asked.until, pause_reason = :reason
        FROM asked
        WHERE r.recorder = :recorder AND NOT coalesce(r.paused_until > asked.until, false)
        RETURNING r.lock_id, r.recorder, r.paused_until, r.pause_reason),
      noted AS (
        INSERT INTO {pauses} (lock_id, recorder, until, reason, os_user)
        SELECT lock_id, recorder, paused_until, pause_reason, :osUser FROM paused)
      SELECT count(*) FROM paused
      """;

  /**
   * Pauses the recorder from now on. An existing pause may be extended, but never shortened; {@link
   * #resume} ends it. Waits for at most 5 s if another session has locked the recorder's row.
   *
   * @return false if there is no such recorder, or it is paused for longer
   */
  public boolean pause(RecorderName recorder, PauseOrder order) {
    return hits(
        PAUSE,
        statement ->
            statement
                .set("recorder", recorder.value())
                .set("lasts", order.lasts().toMillis())
                .set("reason", order.reason())
                .set("osUser", order.osUser()));
  }

  private static final String RESUME =
      """
      WITH resumed AS (
        UPDATE {lock_recorders} SET paused_until = NULL, pause_reason = NULL
        WHERE recorder = :recorder AND paused_until > clock_timestamp()
        RETURNING lock_id, recorder),
      noted AS (
        INSERT INTO {pauses} (lock_id, recorder, os_user)
        SELECT lock_id, recorder, :osUser FROM resumed)
      SELECT count(*) FROM resumed
      """;

  /**
   * Ends a pause of any operator.
   *
   * @param osUser the operator, as stated by the command
   * @return whether there was a pause
   */
  public boolean resume(RecorderName recorder, String osUser) {
    return hits(
        RESUME,
        statement ->
            statement.set("recorder", recorder.value()).set("osUser", Operator.cut(osUser)));
  }

  private boolean hits(String change, SqlFunction<SqlStatement, SqlStatement> values) {
    return ask(
        c -> {
          SettingOverrides.orders(c);
          try (SqlStatement statement = Sql.in(schemas, change).on(c)) {
            return values.apply(statement).number() == 1;
          }
        });
  }

  /** Returns the recorder's pause; empty if there is none, or no such recorder. */
  public Optional<PausedRecorder> of(RecorderName recorder) {
    return Optional.ofNullable(all().get(recorder.value()));
  }

  /** An extended pause keeps its beginning; one that was over, or was ended, does not. */
  private static final String ALL =
      """
      WITH RECURSIVE {logs}
      SELECT r.recorder, r.paused_until, coalesce(r.pause_reason, 'nobody said why') AS reason,
        p.os_user, p.db_user AS asked_by, p.db_client AS client,
        CASE WHEN p.os_user IS NOT NULL THEN b.since END AS since
      FROM logs r
      LEFT JOIN LATERAL (
        SELECT os_user, db_user, db_client FROM {pauses} p
        WHERE p.lock_id = r.lock_id AND p.recorder = r.recorder AND p.until = r.paused_until
        ORDER BY p.id DESC LIMIT 1) p ON true
      LEFT JOIN LATERAL (
        SELECT max(at) FILTER (WHERE until IS NOT NULL AND begins) AS since
        FROM (
          SELECT at, until, coalesce(lag(until) OVER (ORDER BY id) < at, true) AS begins
          FROM (
            SELECT id, at, until FROM {pauses} p
            WHERE p.lock_id = r.lock_id AND p.recorder = r.recorder
            ORDER BY id DESC LIMIT 100) latest) steps) b ON true
      WHERE r.paused_until > clock_timestamp()
      """;

  /** Returns all current pauses, by the recorder's name. */
  public Map<String, PausedRecorder> all() {
    return ask(
        c -> {
          Sql sql = Sql.in(schemas, ALL, Map.of("logs", LatestRowVersion.LOGS));
          Map<String, PausedRecorder> all = new HashMap<>();
          try (SqlStatement statement = sql.on(c);
              ResultSet row = statement.query()) {
            while (row.next()) {
              all.put(row.getString("recorder"), paused(row));
            }
          }
          return all;
        });
  }

  private static PausedRecorder paused(ResultSet row) throws SQLException {
    return new PausedRecorder(
        TimestampColumns.time(row, "paused_until"),
        row.getString("reason"),
        row.getString("os_user") == null ? null : Operator.of(row),
        TimestampColumns.instant(row, "since"));
  }

  private <T> T ask(SqlFunction<Connection, T> question) {
    return session.ask(question);
  }
}
