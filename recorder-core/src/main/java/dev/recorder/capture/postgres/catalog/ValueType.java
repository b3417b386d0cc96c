package dev.recorder.capture.postgres.catalog;

import dev.recorder.capture.TextEncoding;
import dev.recorder.capture.script.ColumnQuery;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;

/** How what an expression yields becomes text, which its type says. */
final class ValueType {
  private ValueType() {}

  /** Nothing casts a domain but the type below it. */
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
   * Reads it.
   *
   * @param view whose only column is the expression
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
