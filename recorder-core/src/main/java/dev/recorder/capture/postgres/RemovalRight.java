package dev.recorder.capture.postgres;

import dev.recorder.capture.CaptureNames;
import dev.recorder.capture.TableName;
import dev.recorder.capture.postgres.catalog.Capture;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The ownership and rights that a role needs to end a capture. */
final class RemovalRight {
  private RemovalRight() {}

  private static final String MISSING =
      """
      SELECT what FROM (
        SELECT 1 AS place, format('does not own table %s, but %s does', c.oid::regclass,
          c.relowner::regrole) AS what
        FROM unnest(:tables::text[]) AS t JOIN pg_class c ON c.oid = t::regclass
        WHERE NOT pg_has_role(c.relowner, 'USAGE')
        UNION ALL
        SELECT 2, format('does not own function %s, but %s does', f.oid::regprocedure,
          f.proowner::regrole)
        FROM pg_proc f JOIN pg_namespace n ON n.oid = f.pronamespace
        WHERE f.oid IN (SELECT to_regprocedure(w.name) FROM unnest(:functions::text[]) AS w (name))
          AND NOT pg_has_role(f.proowner, 'USAGE') AND NOT pg_has_role(n.nspowner, 'USAGE')
        UNION ALL
        SELECT 3, 'lacks SELECT and DELETE on table ' || to_regclass(t)
        FROM unnest(ARRAY[{tables}]) AS t
        WHERE NOT (has_table_privilege(to_regclass(t), 'SELECT')
          AND has_table_privilege(to_regclass(t), 'DELETE'))
        UNION ALL
        SELECT 4, 'lacks INSERT on table ' || to_regclass(t) FROM (SELECT {noted}) AS n (t)
        WHERE NOT has_table_privilege(to_regclass(t), 'INSERT')) AS missing
      ORDER BY place, what
      """;

  /**
   * Checks all rights before the first step of the removal.
   *
   * @return true
   * @throws DatabaseException with kind RIGHTS, if a right is missing
   */
  static boolean require(Connection connection, CaptureNames names, Capture capture)
      throws SQLException {
    Sql missing =
        Sql.in(
            names.schemas(),
            MISSING,
            Map.of(
                "tables",
                Stream.of(
                        names.captures(),
                        names.snapshots(),
                        names.toldColumns(),
                        names.detachedChanges())
                    .map(Quoted::literal)
                    .collect(Collectors.joining(", ")),
                "noted",
                Quoted.literal(names.detachedChanges())));
    List<String> lacks;
    try (SqlStatement statement = missing.on(connection)) {
      lacks =
          statement
              .setArray(
                  "tables", "text", capture.relations().stream().map(TableName::quoted).toArray())
              .setArray("functions", "text", names.functions(capture.rule()).toArray())
              .all(row -> row.getString(1));
    }
    if (!lacks.isEmpty()) {
      throw new DatabaseException(
          DatabaseErrorKind.RIGHTS,
          "this role %s: nothing was changed; let an administrator run %s"
              .formatted(String.join(", ", lacks), Captures.PRINTED));
    }
    return true;
  }
}
