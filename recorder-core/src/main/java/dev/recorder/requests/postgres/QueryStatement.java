package dev.recorder.requests.postgres;

import dev.recorder.postgres.SqlStates;
import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.SqlTemplate;
import dev.recorder.requests.EntityQuery;
import dev.recorder.requests.EntityState;
import dev.recorder.requests.QueryText;
import dev.recorder.schema.QueryFunction;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;

/**
 * The SQL around a user's query that builds documents. It returns the document as text, and the
 * statement's own snapshot. The texts have no parameters, since a function runs them.
 */
final class QueryStatement {
  /** The kind of a query whose column is the document itself. */
  private static final String IS_JSON = "json";

  /**
   * NULL and no row mean the same, and a second row is an error. Casts defined by the owner of a
   * type run here.
   */
  private static final String DOCUMENT =
      """
      SELECT octet_length(d.document)::bigint, CASE WHEN octet_length(d.document) <= {most}
          THEN d.document END, s.snapshot
      FROM (SELECT pg_current_snapshot()::text AS snapshot) AS s
      LEFT JOIN (SELECT {document} AS document FROM ({query}) AS q{columns} OFFSET 0) AS d ON true
      LIMIT 2\
      """;

  /** Plans the query and checks its rights, without running it. */
  private static final String KIND =
      """
      SELECT NULL::bigint, CASE WHEN pg_typeof(q.document) IN ('json'::regtype, 'jsonb'::regtype)
          AND (SELECT count(*) FROM json_object_keys(row_to_json(ROW(q.*)))) = 1
        THEN 'json' ELSE 'row' END, NULL::text
      FROM (SELECT 1) AS one LEFT JOIN ({query}) AS q (document) ON false\
      """;

  private QueryStatement() {}

  /** Returns the statement whose second column says how the query's row becomes a document. */
  static String kind(EntityQuery query) {
    return SqlTemplate.fill(KIND, Map.of("query", QueryText.ofNone(query.text())));
  }

  /**
   * Returns the statement that reads the document's size in bytes, the snapshot, and the document
   * if it has at most {@code most} bytes.
   *
   * @param kind the result of {@link #kind}
   */
  static String document(EntityQuery query, String kind, String entity, long most) {
    boolean isJson = kind.equals(IS_JSON);
    return SqlTemplate.fill(
        DOCUMENT,
        Map.of(
            "document",
            isJson ? "q.document::text" : "row_to_json(q.*)::text",
            "columns",
            isJson ? " (document)" : "",
            "query",
            QueryText.of(query.text(), Quoted.literal(entity)),
            "most",
            Long.toString(most)));
  }

  /** Returns the state from the statement's row; empty if the document is too large. */
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
    return Optional.ofNullable(json).map(text -> new EntityState.EntityFound(text, snapshot));
  }

  /** Returns the server's message, and the remedy if known. */
  static String describe(SQLException e) {
    String why = SqlStates.describe(e);
    String help =
        switch (String.valueOf(e.getSQLState())) {
          case "42P01", "42883" ->
              why.contains(QueryFunction.NAME)
                  ? "; let an administrator run the output of 'recorder schema'"
                  : "; names need their schema, as in public.account, and values of several types a"
                      + " cast";
          case SqlStates.NO_RIGHT ->
              why.contains(QueryFunction.NAME)
                  ? "; let an administrator run the output of 'recorder schema'"
                  : "; role %s needs SELECT on what the query reads, and USAGE of its schema"
                      .formatted(QueryFunction.READERS);
          case "25006" -> "; it must not change anything";
          default -> "";
        };
    return why + help;
  }
}
