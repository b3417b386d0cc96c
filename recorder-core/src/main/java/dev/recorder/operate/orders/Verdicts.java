package dev.recorder.operate.orders;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.recorder.handoff.RecorderName;
import dev.recorder.operate.Inspection;
import dev.recorder.operate.orders.LastVerdict.Slots;
import dev.recorder.operate.orders.LastVerdict.VerificationOutcome;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.postgres.sql.TimestampColumns;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Verdicts of the last scheduled verifications of logs. Uses the session of its {@link Inspection}.
 * Its methods throw {@link DatabaseException}.
 */
public final class Verdicts {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final InspectionSession session;
  private final SchemaNames schemas;

  public Verdicts(Connection connection, SchemaNames schemas) {
    this.session = new InspectionSession(connection, schemas);
    this.schemas = schemas;
  }

  private static final String ALL =
      """
      SELECT v.lock_id, every_ms, since, trouble, os_user, asked_by,
        coalesce(host(client_addr), 'local') AS client,
        ok, from_slot, to_slot, whole, v.ended_at, v.machine, fault_count, findings::text
      FROM {verdicts} v LEFT JOIN {operator_orders} o ON o.id = (
        SELECT max(id) FROM {operator_orders} a
        WHERE a.kind = 'verify' AND a.lock_id = v.lock_id AND a.state IN ('new', 'taken'))
      WHERE every_ms IS NOT NULL
      """;

  /** Returns the verdicts by lockid; logs without a schedule are left out. */
  public Map<Integer, LastVerdict> all() {
    return session.ask(this::all);
  }

  private Map<Integer, LastVerdict> all(Connection connection) throws SQLException {
    Map<Integer, LastVerdict> all = new HashMap<>();
    try (SqlStatement statement = Sql.in(schemas, ALL).on(connection);
        ResultSet row = statement.query()) {
      while (row.next()) {
        all.put(
            row.getInt("lock_id"),
            new LastVerdict(
                Duration.ofMillis(row.getLong("every_ms")),
                TimestampColumns.time(row, "since"),
                outcome(row),
                row.getString("trouble"),
                row.getString("os_user") == null ? null : Operator.of(row).toString()));
      }
    }
    return all;
  }

  /**
   * Returns the last outcome; null before the first verification, or if an administrator has
   * cleared its time to have the next one at once.
   */
  private static @Nullable VerificationOutcome outcome(ResultSet row) throws SQLException {
    boolean ok = row.getBoolean("ok");
    if (row.wasNull() || row.getObject("ended_at") == null) {
      return null;
    }
    return new VerificationOutcome(
        ok,
        new Slots(row.getLong("from_slot"), row.getLong("to_slot")),
        row.getBoolean("whole"),
        TimestampColumns.time(row, "ended_at"),
        row.getString("machine"),
        row.getLong("fault_count"),
        findings(row.getString("findings")));
  }

  private static List<String> findings(@Nullable String json) {
    try {
      return json == null ? List.of() : JSON.readValue(json, new TypeReference<List<String>>() {});
    } catch (JsonProcessingException notOurs) {
      return List.of(json);
    }
  }

  private static final String SCHEDULED =
      """
      SELECT EXISTS (SELECT FROM {verdicts} WHERE recorder = :recorder AND every_ms IS NOT NULL)
      """;

  /** Whether the latest active host of a log verifies the log on a schedule. */
  public boolean isScheduled(RecorderName recorder) {
    return session.ask(
        c -> {
          try (SqlStatement statement = Sql.in(schemas, SCHEDULED).on(c)) {
            return statement.set("recorder", recorder.value()).truth();
          }
        });
  }

  private static final String ASK =
      """
      INSERT INTO {operator_orders} (kind, lock_id, recorder, os_user)
      SELECT 'verify', lock_id, recorder, :osUser FROM {verdicts}
      WHERE recorder = :recorder AND every_ms IS NOT NULL
      ON CONFLICT DO NOTHING
      """;

  /**
   * Orders a verification of the whole log by its active host, if the log is verified on a
   * schedule.
   *
   * @param osUser the operator, as stated by the command
   */
  public void askForWhole(RecorderName recorder, String osUser) {
    session.ask(
        c -> {
          OrderQueue.tidy(c, schemas);
          try (SqlStatement statement = Sql.in(schemas, ASK).on(c)) {
            return statement
                .set("recorder", recorder.value())
                .set("osUser", Operator.cut(osUser))
                .update();
          }
        });
  }
}
