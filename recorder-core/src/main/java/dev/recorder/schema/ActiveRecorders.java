package dev.recorder.schema;

import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The holder of each recorder, copied from {@code lock_recorders} by a trigger, for the watch
 * alone.
 *
 * <p>Each settled slot writes a new version of the recorder's row. While a dump or a standby server
 * holds back old versions, a reader of that row passes all of them, and every host reads every
 * recorder twenty times a second. The copies change only when a recorder changes hands. {@code
 * lock_recorders} is authoritative, and every write is checked against it.
 */
public final class ActiveRecorders {
  public static final String TABLE = "incumbents";

  /** The copied columns, besides the lockid. */
  private static final String[] COLUMNS = {
    "holder", "epoch", "holder_pid", "holder_backend_start", "switch_to", "switch_why", "faults"
  };

  private ActiveRecorders() {}

  /** The pieces for {@code control.sql}, which creates the table and its trigger. */
  static Map<String, String> pieces() {
    return Map.of(
        "kept",
        columns(""),
        "kept_of_new",
        columns("NEW."),
        "kept_of_excluded",
        columns("excluded."));
  }

  /**
   * Returns SQL that updates the copies of rows that bypassed the trigger, because triggers were
   * off or a table was truncated. Its lock waits for concurrent changes of such a row, and it then
   * reads their result.
   */
  static String renew(SchemaNames names) {
    Map<String, String> pieces =
        Map.of(
            "columns", columns(""),
            "of_i", columns("i."),
            "of_r", columns("r."),
            "of_excluded", columns("excluded."));
    return Sql.in(names, RENEW, pieces).text();
  }

  private static final String ENABLED =
      """
      SELECT tgenabled IN ('O', 'A') FROM pg_trigger
      WHERE tgrelid = to_regclass(:table) AND tgname = 'incumbent_changed'
      """;

  /** Returns why the copies are not maintained, with the remedy; empty if they are. */
  static String fault(Connection connection, SchemaNames names) throws SQLException {
    String table = names.table("lock_recorders");
    Optional<Boolean> enabled;
    try (SqlStatement statement = Sql.of(ENABLED).on(connection)) {
      enabled = statement.set("table", table).first(row -> row.getBoolean(1));
    }
    if (enabled.isEmpty()) {
      return "table %s has lost its trigger incumbent_changed, without which no takeover is seen: let an administrator run the output of 'recorder schema'"
          .formatted(table);
    }
    return enabled.get()
        ? ""
        : "trigger incumbent_changed of table %s is disabled, without which no takeover is seen: ALTER TABLE %1$s ENABLE TRIGGER incumbent_changed;"
            .formatted(table);
  }

  private static final String RENEW =
      """
      INSERT INTO {incumbents} (lock_id, {columns}) SELECT lock_id, {columns} \
      FROM {lock_recorders} r \
      WHERE NOT EXISTS (SELECT FROM {incumbents} i WHERE i.lock_id = r.lock_id \
      AND ROW ({of_i}) IS NOT DISTINCT FROM ROW ({of_r})) FOR SHARE OF r \
      ON CONFLICT (lock_id) DO UPDATE SET ({columns}) = ROW ({of_excluded})
      """;

  private static String columns(String prefix) {
    return Arrays.stream(COLUMNS).map(prefix::concat).collect(Collectors.joining(", "));
  }
}
