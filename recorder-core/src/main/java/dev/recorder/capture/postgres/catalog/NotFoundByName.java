package dev.recorder.capture.postgres.catalog;

import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;

/**
 * Explains why a name in an expression was not found: expressions are parsed with a search_path
 * without the schemas of users and extensions, so that names need their schema.
 */
final class NotFoundByName {
  /** SQLSTATEs of an unknown function or operator, and of an unknown type. */
  private static final Set<String> STATES = Set.of("42883", "42704");

  private NotFoundByName() {}

  /**
   * Searches the server's message for known names. In every language the message has the name as it
   * was written.
   */
  private static final Sql ELSEWHERE =
      Sql.of(
          """
          SELECT string_agg(DISTINCT name, ', ') FROM (
            SELECT format('OPERATOR(%I.%s)', n.nspname, o.oprname) AS name
            FROM pg_operator o JOIN pg_namespace n ON n.oid = o.oprnamespace
            WHERE n.nspname <> 'pg_catalog' AND :state = '42883'
              AND position(' ' || o.oprname || ' ' IN :message) > 0
            UNION ALL
            SELECT format('%I.%I', n.nspname, p.proname)
            FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
            WHERE n.nspname NOT IN ('pg_catalog', 'information_schema') AND :state = '42883'
              AND position(' ' || p.proname || '(' IN :message) > 0
            UNION ALL
            SELECT format('%I.%I', n.nspname, t.typname)
            FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace
            WHERE n.nspname NOT IN ('pg_catalog', 'information_schema') AND :state = '42704'
              AND position('"' || t.typname || '"' IN :message) > 0) AS known
          """);

  /**
   * Returns the names to write instead, beginning with a semicolon; empty if no object has the
   * name.
   */
  static String remedy(Connection connection, SQLException e) throws SQLException {
    String state = String.valueOf(e.getSQLState());
    if (!STATES.contains(state)) {
      return "";
    }
    String message = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    try (SqlStatement statement = ELSEWHERE.on(connection)) {
      String known =
          statement
              .set("state", state)
              .set("message", message)
              .first(row -> String.valueOf(row.getString(1)))
              .orElse("null");
      return known.equals("null")
          ? ""
          : "; it is read without schemas of others in search_path: write " + known;
    }
  }
}
