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
 * Who holds each recorder, kept beside {@code lock_recorders} by a trigger of that table, for the
 * watch alone.
 *
 * <p>A settled slot writes a new version of the recorder's row. While a dump or a standby holds old
 * versions back, whoever reads that row passes all of them; and every machine reads every recorder
 * twenty times a second. These rows change only when a recorder changes hands. What counts is
 * {@code lock_recorders}: all that is written is held to it.
 */
public final class ActiveRecorders {
  public static final String TABLE = "incumbents";

  /** The columns that are kept, beside the lockid. */
  private static final String[] COLUMNS = {
    "holder", "epoch", "holder_pid", "holder_backend_start", "switch_to", "switch_why", "faults"
  };

  private ActiveRecorders() {}

  /** Of {@code control.sql}, which makes the table and its trigger. */
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
   * Brings the table up to date where rows of {@code lock_recorders} came past the trigger: loaded
   * with triggers off, or truncated. The lock waits for whoever is changing such a row, and then
   * reads what they made of it.
   */
  static String renew(SchemaNames names) {
    return sql(names, RENEW);
  }

  private static final String ENABLED =
      """
      SELECT tgenabled IN ('O', 'A') FROM pg_trigger
      WHERE tgrelid = to_regclass(:table) AND tgname = 'incumbent_changed'
      """;

  /** Why it is not kept, and the remedy; empty if it is. */
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

  private static String sql(SchemaNames names, String text) {
    Map<String, String> pieces =
        Map.of(
            "columns", columns(""),
            "of_i", columns("i."),
            "of_r", columns("r."),
            "of_excluded", columns("excluded."));
    return Sql.in(names, text, pieces).text();
  }

  private static String columns(String prefix) {
    return Arrays.stream(COLUMNS).map(prefix::concat).collect(Collectors.joining(", "));
  }
}
