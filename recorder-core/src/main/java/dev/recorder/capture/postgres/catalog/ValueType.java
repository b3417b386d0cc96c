package dev.recorder.capture.postgres.catalog;

import dev.recorder.capture.TextEncoding;
import dev.recorder.capture.script.ColumnQuery;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;

/** Determines how the value of an expression becomes text, by its type. */
final class ValueType {
  private ValueType() {}

  /** A domain is cast by its base type. */
  private static final Sql ENCODING =
      Sql.of(
          """
          SELECT CASE WHEN {writes_bytes} AND '"char"'::regtype IN (t.oid, t.typbasetype) THEN :byte
            WHEN coalesce(b.typnamespace, t.typnamespace) = 'pg_catalog'::regnamespace
            THEN :cast
            ELSE 'CASE WHEN (%1$s) IS DISTINCT FROM NULL THEN format(''%%s'', (%1$s)) END' END
          FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
          LEFT JOIN pg_type b ON b.oid = t.typbasetype
          WHERE a.attrelid = :view::regclass AND a.attnum = 1
          """,
          Map.of("writes_bytes", ColumnQuery.WRITES_BYTES));

  /**
   * Returns the encoding of an expression's value.
   *
   * @param view name of a view whose only column is the expression
   */
  static TextEncoding encoding(Connection connection, String view) throws SQLException {
    try (SqlStatement statement = ENCODING.on(connection)) {
      return statement
          .set("byte", ColumnQuery.BYTE.pattern())
          .set("cast", TextEncoding.CAST.pattern())
          .set("view", view)
          .first(row -> new TextEncoding(row.getString(1)))
          .orElse(TextEncoding.CAST);
    }
  }
}
