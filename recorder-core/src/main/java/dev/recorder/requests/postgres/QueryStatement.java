package dev.recorder.requests.postgres;

import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.SqlStates;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.postgres.sql.SqlTemplate;
import dev.recorder.requests.EntityQuery;
import dev.recorder.requests.EntityState;
import dev.recorder.requests.QueryText;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The SQL around a query of users that builds documents: the document as text, and the snapshot of
 * the very statement.
 */
public final class QueryStatement {
  /**
   * The planner's settings as the server has them, since ours fit our own statements alone; and the
   * texts of dates, numbers and bytes the same for every role. What reads only is told last.
   */
  private static final String SETTINGS =
      """
      set_config('plan_cache_mode', NULL, true), set_config('enable_seqscan', NULL, true),
        set_config('enable_sort', NULL, true), set_config('enable_bitmapscan', NULL, true),
        set_config('enable_hashjoin', NULL, true), set_config('enable_mergejoin', NULL, true),
        set_config('enable_material', NULL, true), set_config('TimeZone', 'UTC', true),
        set_config('DateStyle', 'ISO', true), set_config('IntervalStyle', 'postgres', true),
        set_config('extra_float_digits', '1', true), set_config('bytea_output', 'hex', true),
        set_config('lc_monetary', 'C', true), set_config('row_security', 'off', true),
        set_config('statement_timeout', :timeout, true),
        set_config('transaction_read_only', 'on', true)
      """;

  /** Where NULL and no row are the same; a second row is one too many. */
  private static final String DOCUMENT =
      """
      SELECT octet_length(d.document), CASE WHEN octet_length(d.document) <= :most::bigint
          THEN d.document END, s.snapshot
      FROM (SELECT pg_current_snapshot()::text AS snapshot) AS s
      LEFT JOIN (SELECT {document} AS document FROM ({query}) AS q{columns} OFFSET 0) AS d ON true
      LIMIT 2
      """;

  private static final Set<String> JSON = Set.of("json", "jsonb");

  private QueryStatement() {}

  /** To be run for its effect, with {@code :timeout} in milliseconds, in a transaction. */
  static String settings() {
    return SETTINGS;
  }

  /**
   * The statement, whose row has the document's size in bytes, the document, if it has at most
   * {@code :most}, and the snapshot.
   *
   * @throws SQLException if the server does not understand the query
   */
  static String document(Connection connection, EntityQuery query) throws SQLException {
    boolean isJson = isJson(connection, query);
    return SqlTemplate.fill(
        DOCUMENT,
        Map.of(
            "document", isJson ? "q.document::text" : "row_to_json(q.*)::text",
            "columns", isJson ? " (document)" : "",
            "query", query.text()));
  }

  private static boolean isJson(Connection connection, EntityQuery query) throws SQLException {
    try (SqlStatement statement =
        Sql.of("SELECT * FROM ({query}) AS q", Map.of("query", query.text())).on(connection)) {
      ResultSetMetaData columns =
          statement.setUntyped(QueryText.ENTITY, null).complete().getMetaData();
      return columns.getColumnCount() == 1 && JSON.contains(columns.getColumnTypeName(1));
    }
  }

  /**
   * What the server has against a query, of which it runs nothing: that it does not understand it,
   * or that this role may not read what it does. Empty if it has nothing.
   *
   * @throws DatabaseException if there is no answer
   */
  public static String fault(Connection connection, EntityQuery query) {
    try (SqlStatement statement =
        Sql.of("EXPLAIN {document}", Map.of("document", document(connection, query)))
            .on(connection)) {
      statement.set("most", 0L).setUntyped(QueryText.ENTITY, null).query().close();
      return "";
    } catch (SQLException e) {
      if (!SqlStates.sessionSurvives(e)) {
        throw DatabaseException.of(e);
      }
      return describe(e);
    }
  }

  /**
   * What a query says of an entity, in a transaction that is the caller's and in which nothing can
   * be written afterwards, however large the document is.
   */
  public static EntityState read(Connection connection, EntityQuery query, String entity)
      throws SQLException {
    try (SqlStatement settings =
            Sql.of("SELECT {settings}", Map.of("settings", SETTINGS)).on(connection);
        SqlStatement statement = Sql.of(document(connection, query)).on(connection)) {
      settings.set("timeout", Long.toString(query.limit().toMillis())).query().close();
      statement.set("most", (long) Integer.MAX_VALUE).setUntyped(QueryText.ENTITY, entity);
      try (ResultSet row = statement.query()) {
        row.next();
        return state(row).orElseThrow(() -> new SQLException("a document of more than 2 GiB"));
      }
    } catch (SQLException e) {
      if (!SqlStates.sessionSurvives(e)) {
        throw e;
      }
      return new EntityState.NotNow("the query failed: " + describe(e));
    }
  }

  /** What the statement's rows say, of which the first is the current one; empty if too much. */
  static Optional<EntityState> state(ResultSet row) throws SQLException {
    String json = row.getString(2);
    String snapshot = row.getString(3);
    boolean isGone = row.getString(1) == null;
    if (row.next()) {
      return Optional.of(
          new EntityState.Unfit("the query yields more than one row: one is wanted, the document"));
    } else if (isGone) {
      return Optional.of(new EntityState.Gone(snapshot));
    }
    return Optional.ofNullable(json).map(text -> new EntityState.There(text, snapshot));
  }

  /** The server's words, and what to do about it where that is known. */
  static String describe(SQLException e) {
    String help =
        switch (String.valueOf(e.getSQLState())) {
          case "42P01", "42883" ->
              "; names need their schema, as in public.account, and values of several types a cast";
          case "42501" -> "; the role of the machines needs SELECT on what the query reads";
          case "42P18" -> "; say of which type the id is, as in :entity::text";
          case "25006" -> "; it must not change anything";
          default -> "";
        };
    return SqlStates.describe(e) + help;
  }
}
