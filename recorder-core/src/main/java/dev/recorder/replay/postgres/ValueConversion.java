package dev.recorder.replay.postgres;

import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.postgres.sql.SqlTemplate;
import dev.recorder.replay.postgres.TableShape.Column;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Converts a table's values to another type by way of their text, with that type's input function.
 * Never calls a cast function of the type's owner.
 */
final class ValueConversion {
  private final Connection connection;
  private final SavepointAttempt attempt;

  ValueConversion(Connection connection) {
    this.connection = connection;
    this.attempt = new SavepointAttempt(connection);
  }

  private static final String ROW =
      """
      DROP TABLE IF EXISTS {row};
      CREATE TEMPORARY TABLE {row} (value {type}) ON COMMIT DROP
      """;

  private static final String READ =
      "(json_populate_record(NULL::{row}, json_build_object('value', {text}))).value";

  /**
   * Returns an expression for the column's value in the new type. May create a temporary table for
   * the expression, since {@code ALTER TABLE … USING} allows no query. The expression keeps
   * trailing blanks if the source's own cast does.
   */
  String become(Column old, Column wanted) throws SQLException {
    String text =
        old.isPadded() && !wanted.isPadded() ? old.quoted() + "::text" : old.output(old.quoted());
    if (!wanted.isReadAsItIs()) {
      return SqlTemplate.fill("({text})::{type}", Map.of("text", text, "type", wanted.type()));
    }
    UUID digest = UUID.nameUUIDFromBytes(wanted.name().getBytes(StandardCharsets.UTF_8));
    String row = "pg_temp." + Quoted.identifier("recorder_value_" + digest);
    ColumnChanges.run(connection, SqlTemplate.fill(ROW, Map.of("row", row, "type", wanted.type())));
    return SqlTemplate.fill(READ, Map.of("row", row, "text", text));
  }

  private static final String COUNT = "SELECT count({value}) FROM ONLY {table}";

  /** Returns whether all values of the column can be converted. */
  boolean canBecome(LoggedTable table, Column old, Column wanted) throws SQLException {
    return attempt.isDone(
        () -> {
          Map<String, String> pieces =
              Map.of("value", become(old, wanted), "table", table.quoted());
          try (SqlStatement statement = Sql.of(COUNT, pieces).on(connection)) {
            statement.number();
          }
        });
  }

  private static final String EXISTING = "SELECT {literal}::{type} IS NULL";

  /** Returns whether a text, or NULL, is a value of the column. */
  boolean isValue(Column column, @Nullable String text) throws SQLException {
    Map<String, String> pieces = Map.of("literal", literal(text), "type", column.type());
    return attempt.isDone(
        () -> {
          try (SqlStatement statement = Sql.of(EXISTING, pieces).on(connection)) {
            statement.truth();
          }
        });
  }

  static String literal(@Nullable String text) {
    return text == null ? "NULL" : Quoted.literal(text);
  }
}
