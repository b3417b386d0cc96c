package dev.recorder.operate.site;

import dev.recorder.handoff.RecorderKind;
import dev.recorder.handoff.RecorderName;
import dev.recorder.operate.site.WorkCounts.Locks;
import dev.recorder.operate.site.WorkCounts.Requests;
import dev.recorder.postgres.SqlStates;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.schema.ServerQueries;
import dev.recorder.slotlog.postgres.RowSecurity;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Counts {@link WorkCounts}. Each query is one statement that reads no more rows than it may count,
 * in the order of an index where the table may be large.
 */
public final class WorkQueries {
  private final SchemaNames schemas;

  public WorkQueries(SchemaNames schemas) {
    this.schemas = schemas;
  }

  public WorkCounts counts(Connection connection, List<RecorderStatus> recorders, int upTo)
      throws SQLException {
    Map<String, Requests> requests = new HashMap<>();
    for (RecorderStatus recorder : recorders) {
      if (recorder.kind().equals(RecorderKind.REQUESTS.word())) {
        requests(connection, new RecorderName(recorder.name()), upTo)
            .ifPresent(found -> requests.put(recorder.name(), found));
      }
    }
    return new WorkCounts(requests, locks(connection, upTo));
  }

  private static final String REQUESTS =
      """
      SELECT count(*) FILTER (WHERE NOT w.later), count(*) FILTER (WHERE w.later),
        (SELECT count(*) FROM (
          SELECT FROM {table} WHERE request_status = 'error' ORDER BY id LIMIT :limit) e)
      FROM (
        SELECT coalesce(not_before > clock_timestamp(), false) AS later
        FROM {table} WHERE request_status = 'new' ORDER BY id LIMIT :limit) w
      """;

  /**
   * Counts a recorder's requests; empty if the table does not exist, is exclusively locked, or has
   * another form.
   */
  private Optional<Requests> requests(Connection connection, RecorderName name, int upTo)
      throws SQLException {
    String table = schemas.handoffTable(name);
    if (!ServerQueries.exists(connection, table)) {
      return Optional.empty();
    }
    try (SqlStatement statement = Sql.of(REQUESTS, Map.of("table", table)).on(connection)) {
      return statement
          .set("limit", upTo)
          .first(row -> new Requests(row.getLong(1), row.getLong(2), row.getLong(3)));
    } catch (SQLException e) {
      if (SqlStates.isOfOneTable(e)
          || !new RowSecurity(schemas, name).fault(connection).isEmpty()) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /** Only sessions for locks have these names, whether their keys are of names or of lockids. */
  private static final String ADVISORY =
      """
      SELECT count(*) FILTER (WHERE l.granted), count(*) FILTER (WHERE NOT l.granted)
      FROM pg_locks l JOIN pg_stat_activity a USING (pid)
      WHERE l.locktype = 'advisory' AND a.application_name LIKE 'recorder/%/lock'
        AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
      """;

  private static final String MUTEXES =
      """
      SELECT count(*) FROM (SELECT FROM {lock_mutex} WHERE acquired LIMIT :limit) m
      """;

  private static final String TIMEOUTS =
      """
      SELECT count(*) FROM (
        SELECT FROM {lock_timeout} WHERE clock_timestamp() <= due_at LIMIT :limit) t
      """;

  private Locks locks(Connection connection, int upTo) throws SQLException {
    long mutexes = rows(connection, "lock_mutex", MUTEXES, upTo);
    long timeouts = rows(connection, "lock_timeout", TIMEOUTS, upTo);
    try (SqlStatement statement = Sql.of(ADVISORY).on(connection)) {
      return statement
          .first(row -> new Locks(row.getLong(1), row.getLong(2), mutexes, timeouts))
          .orElseThrow();
    }
  }

  private static final Sql READABLE =
      Sql.of(
          """
          SELECT coalesce(bool_or(has_table_privilege(c.oid, 'SELECT')), false)
          FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
          WHERE n.nspname = split_part(:table, '.', 1)::name
            AND c.relname = split_part(:table, '.', 2)::name
          """);

  /** Counts rows; zero if the table does not exist, is locked, or this role may not read it. */
  private long rows(Connection connection, String table, String count, int upTo)
      throws SQLException {
    try (SqlStatement readable = READABLE.on(connection)) {
      if (!readable.set("table", schemas.table(table)).truth()) {
        return 0;
      }
    }
    try (SqlStatement statement = Sql.in(schemas, count).on(connection)) {
      return statement.set("limit", upTo).number();
    } catch (SQLException e) {
      if (SqlStates.isOfOneTable(e)) {
        return 0;
      }
      throw e;
    }
  }
}
