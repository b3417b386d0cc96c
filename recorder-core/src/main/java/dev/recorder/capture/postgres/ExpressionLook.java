package dev.recorder.capture.postgres;

import dev.recorder.capture.CaptureNames;
import dev.recorder.capture.postgres.catalog.CaptureFinding;
import dev.recorder.capture.postgres.catalog.CaptureList;
import dev.recorder.capture.postgres.catalog.ExpressionFindings;
import dev.recorder.capture.script.ColumnQuery;
import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.SqlStates;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.schema.ServerQueries;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Checks the expressions of logs' captures at each look of a host. Each check leaves dead rows in
 * the catalog. So expressions are read again only if an object that they may name has changed, or
 * while there is a finding.
 */
final class ExpressionLook {
  private final CaptureNames names;
  private String readAt = "";
  private List<CaptureFinding> found = List.of();

  ExpressionLook(CaptureNames names) {
    this.names = names;
  }

  /**
   * A text that changes with the captures and with objects that expressions may name; no row if no
   * capture has an expression. Row types and array types are left out, since each new table adds
   * such types.
   */
  private static final String STATE =
      """
      SELECT concat(k.captures, ' ', code.version) FROM (
        SELECT string_agg(concat_ws(' ', c.recorder, c.captured, c.set_up, {fingerprint}), ', '
          ORDER BY c.recorder, c.captured) AS captures
        FROM {captures} c WHERE c.recorder = ANY (:recorders::text[]) AND c.entity_sql IS NULL
          AND coalesce(c.when_sql, c.key_sql) IS NOT NULL) AS k
      CROSS JOIN LATERAL (
        SELECT sum(hash_record_extended(ROW(e.oid, e.version::text), 0)) AS version FROM (
          SELECT oid, xmin FROM pg_namespace
          UNION ALL SELECT oid, xmin FROM pg_enum
          UNION ALL SELECT oid, xmin FROM pg_proc WHERE oid >= {first_of_users}
          UNION ALL SELECT oid, xmin FROM pg_operator WHERE oid >= {first_of_users}
          UNION ALL SELECT oid, xmin FROM pg_collation WHERE oid >= {first_of_users}
          UNION ALL SELECT oid, xmin FROM pg_type
            WHERE oid >= {first_of_users} AND typtype <> 'c' AND typcategory <> 'A') AS e (oid, version)) AS code
      WHERE k.captures IS NOT NULL
      """;

  /**
   * Returns the present findings. While a table is locked, returns the previous findings, and the
   * next look reads again.
   */
  List<CaptureFinding> at(Connection connection, Set<RecorderName> recorders) throws SQLException {
    try {
      read(connection, recorders);
    } catch (SQLException e) {
      if (!SqlStates.WAITED_FOR_LOCK.equals(e.getSQLState())) {
        throw e;
      }
      readAt = "";
    }
    return found;
  }

  private void read(Connection connection, Set<RecorderName> recorders) throws SQLException {
    String state = state(connection, recorders);
    if (state.isEmpty()) {
      found = List.of();
    } else if (!state.equals(readAt) || !found.isEmpty()) {
      found =
          new ExpressionFindings(connection, names)
                  .of(
                      new CaptureList(connection, names)
                          .all().stream()
                              .filter(capture -> recorders.contains(capture.rule().recorder()))
                              .filter(capture -> !capture.rule().isOfDocuments())
                              .toList())
                  .stream()
                  .filter(CaptureFinding::losesChanges)
                  .toList();
    }
    readAt = state;
  }

  private String state(Connection connection, Set<RecorderName> recorders) throws SQLException {
    if (!ServerQueries.exists(connection, names.captures())) {
      return "";
    }
    Map<String, String> pieces =
        Map.of(
            "fingerprint",
            ColumnQuery.fingerprint("c.relation"),
            "first_of_users",
            ColumnQuery.FIRST_OF_USERS);
    try (SqlStatement statement = Sql.in(names.schemas(), STATE, pieces).on(connection)) {
      return statement
          .setArray("recorders", "text", recorders.stream().map(RecorderName::value).toArray())
          .first(row -> row.getString(1))
          .orElse("");
    }
  }
}
