package dev.recorder.operate;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.recorder.handoff.RecorderName;
import dev.recorder.operate.LastVerdict.Slots;
import dev.recorder.operate.LastVerdict.VerificationOutcome;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.sql.Columns;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What was found when logs were last verified on a schedule. On the session of the {@link
 * Inspection} that it is of. Its methods throw {@link DatabaseException}.
 */
public final class Verdicts {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Asking session;
  private final SchemaNames schemas;

  Verdicts(Connection connection, SchemaNames schemas) {
    this.session = new Asking(connection, schemas);
    this.schemas = schemas;
  }

  private static final String ALL =
      """
      SELECT lock_id, every_ms, since, trouble,
        CASE WHEN asked_at IS NOT NULL THEN coalesce(asked_by, 'somebody') END AS asked_by,
        ok, from_slot, to_slot, whole, ended_at, machine, fault_count, findings::text
      FROM {verdicts} WHERE every_ms IS NOT NULL
      """;

  /** By lockid; nothing of logs that are not on a schedule. */
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
                Columns.time(row, "since"),
                outcome(row),
                row.getString("trouble"),
                row.getString("asked_by")));
      }
    }
    return all;
  }

  /** An administrator who wants the next at once takes the time of the last away. */
  private static @Nullable VerificationOutcome outcome(ResultSet row) throws SQLException {
    boolean ok = row.getBoolean("ok");
    if (row.wasNull() || row.getObject("ended_at") == null) {
      return null;
    }
    return new VerificationOutcome(
        ok,
        new Slots(row.getLong("from_slot"), row.getLong("to_slot")),
        row.getBoolean("whole"),
        Columns.time(row, "ended_at"),
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

  /** Whether the host that was active for a log last verifies it on a schedule. */
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
      UPDATE {verdicts} SET asked_at = clock_timestamp(),
        asked_by = left(format('%s (database user %s, from %s)',
          left(:osUser, 80), session_user, coalesce(host(inet_client_addr()), 'local')), 200)
      WHERE recorder = :recorder AND every_ms IS NOT NULL
      """;

  /**
   * Asks whoever is active for a log to verify the whole of it.
   *
   * @param osUser who asks, as they say
   * @return whether it is verified on a schedule; if not, nobody would
   */
  public boolean askForWhole(RecorderName recorder, String osUser) {
    return session.ask(
        c -> {
          try (SqlStatement statement = Sql.in(schemas, ASK).on(c)) {
            return statement
                    .set("recorder", recorder.value())
                    .set("osUser", Operator.cut(osUser))
                    .update()
                == 1;
          }
        });
  }
}
