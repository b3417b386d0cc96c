package dev.recorder.replay.postgres;

import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.replay.ReplayException;
import dev.recorder.replay.ReplayException.ReplayErrorKind;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;

/**
 * The columns of a table as the last replay left them, by name and type. A renamed type counts as
 * the same, and so does a type with another oid after a restore from a dump. If an operator has
 * changed the columns since then, a replay would silently drop added columns, fill dropped columns
 * with NULL, and round values to another type.
 */
final class LeftColumns {
  private LeftColumns() {}

  private static final String THERE =
      """
      (SELECT coalesce(array_agg(format(E'%1$I %2$s\\x1f%1$I %3$s %4$s', a.attname,
                format_type(a.atttypid, a.atttypmod), a.atttypid, a.atttypmod)
              ORDER BY a.attname), '{}')
            FROM pg_attribute a
            WHERE a.attrelid = to_regclass(:table) AND a.attnum > 0 AND NOT a.attisdropped)""";

  private static final String ARE_SAME =
      """
      split_part(c, E'\\x1f', 1) = split_part(o, E'\\x1f', 1)
                  OR split_part(c, E'\\x1f', 2) = split_part(o, E'\\x1f', 2)""";

  private static final Sql CHANGED =
      Sql.of(
          """
          SELECT changed.text FROM (
            SELECT concat_ws(', ',
              (SELECT string_agg(split_part(c, E'\\x1f', 1) || ' is new', ', ')
                FROM unnest(n.there) AS c
                WHERE NOT EXISTS (SELECT FROM unnest(t.left_columns) AS o WHERE {are_same})),
              (SELECT string_agg(split_part(c, E'\\x1f', 1) || ' is gone', ', ')
                FROM unnest(t.left_columns) AS c
                WHERE NOT EXISTS (SELECT FROM unnest(n.there) AS o WHERE {are_same}))) AS text
            FROM recorder_replay.tables t CROSS JOIN {there} AS n (there)
            WHERE t.name = :name AND t.left_columns <> n.there) AS changed
          WHERE changed.text <> ''
          """,
          Map.of("there", THERE, "are_same", ARE_SAME));

  /**
   * Refuses a table whose columns were changed since the last replay. Must be called with a lock
   * that prevents such changes.
   */
  static void check(Connection connection, LoggedTable table) throws SQLException {
    try (SqlStatement statement = CHANGED.on(connection)) {
      Optional<String> changed =
          statement
              .set("name", table.toString())
              .set("table", table.quoted())
              .first(row -> row.getString(1));
      if (changed.isPresent()) {
        throw new ReplayException(
            ReplayErrorKind.OTHERS,
            """
            table %s has other columns than the last replay left here: %s; drop what is new, add \
            what is gone, and replay again (what a dropped column had, a new snapshot writes); or \
            replay into another database\
            """
                .formatted(table, changed.get()));
      }
    }
  }

  private static final Sql NOTE =
      Sql.of(
          """
          UPDATE recorder_replay.tables AS t SET left_columns = n.there FROM {there} AS n (there)
          WHERE t.name = :name AND t.left_columns IS DISTINCT FROM n.there
          """,
          Map.of("there", THERE));

  /** Records the present columns, in the transaction that has changed them. */
  static void note(Connection connection, LoggedTable table) throws SQLException {
    try (SqlStatement statement = NOTE.on(connection)) {
      statement.set("name", table.toString()).set("table", table.quoted()).update();
    }
  }
}
