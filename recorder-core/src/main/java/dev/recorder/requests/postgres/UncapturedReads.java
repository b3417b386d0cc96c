package dev.recorder.requests.postgres;

import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.SqlStates;
import dev.recorder.postgres.Transaction;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.postgres.sql.SqlTemplate;
import dev.recorder.requests.EntityQuery;
import dev.recorder.requests.QueryText;
import dev.recorder.schema.CaptureTriggerNames;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;

/**
 * Finds tables that a query reads although no capture requests a document when they change. It uses
 * a temporary view, and rolls back. Tables that users' functions read are not found.
 */
public final class UncapturedReads {
  private static final String VIEW = "recorder_query";

  private UncapturedReads() {}

  /** Follows views, and counts a partition's trigger for its table, too. */
  private static final Sql DOUBTFUL =
      Sql.of(
          """
          WITH RECURSIVE read AS (
            SELECT :view::regclass::oid AS oid
            UNION
            SELECT d.refobjid FROM read
            JOIN pg_rewrite r ON r.ev_class = read.oid
            JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid
              AND d.refclassid = 'pg_class'::regclass AND d.refobjid <> r.ev_class),
          called AS (
            SELECT DISTINCT p.proname || '()' AS name
            FROM read JOIN pg_rewrite r ON r.ev_class = read.oid,
            LATERAL regexp_matches(r.ev_action::text, ':(?:op)?funcid (\\d+)', 'g') AS m
            JOIN pg_proc p ON p.oid = m[1]::oid
            WHERE p.provolatile = 'v')
          SELECT concat_ws('; ',
            (SELECT 'nothing asks for a document when these change: '
                || string_agg(c.oid::regclass::text, ', ' ORDER BY c.oid::regclass::text)
              FROM read JOIN pg_class c ON c.oid = read.oid
              WHERE c.relkind IN ('r', 'p', 'f', 'm')
                AND c.relnamespace <> 'pg_catalog'::regnamespace
                AND NOT EXISTS (SELECT FROM pg_trigger t WHERE t.tgname = :trigger
                  AND t.tgrelid = coalesce(pg_partition_root(c.oid), c.oid))),
            (SELECT 'it may say something else each time, since it calls '
                || string_agg(name, ', ' ORDER BY name) FROM called))
          """);

  /**
   * Returns the doubts about a valid query, without a full stop; empty if there are none, or if
   * this role may not create a temporary view.
   */
  public static String doubts(Connection connection, RecorderName recorder, EntityQuery query) {
    try (Transaction transaction = Transaction.begin(connection);
        Statement statement = connection.createStatement()) {
      statement.setEscapeProcessing(false);
      statement.execute(
          SqlTemplate.fill(
              "CREATE TEMPORARY VIEW {view} AS SELECT FROM ({query}) AS q",
              Map.of("view", VIEW, "query", QueryText.ofNone(query.text()))));
      try (SqlStatement doubtful = DOUBTFUL.on(connection)) {
        return doubtful
            .set("view", "pg_temp." + VIEW)
            .set("trigger", CaptureTriggerNames.name(recorder, "update"))
            .first(row -> row.getString(1))
            .orElse("");
      }
    } catch (SQLException e) {
      if (SqlStates.sessionSurvives(e)) {
        return "";
      }
      throw DatabaseException.of(e);
    }
  }
}
