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
 * The SQL around a query of users that builds documents: the document as text, and the snapshot of
 * the very statement. Texts without parameters, for the function that runs them.
 */
final class QueryStatement {
  /** What the first column is called as a document of its own. */
  private static final String IS_JSON = "json";

  /**
   * Where NULL and no row are the same; a second row is one too many. Casts that the owner of a
   * type has made run here.
   */
  private static final String DOCUMENT =
      """
      SELECT octet_length(d.document)::bigint, CASE WHEN octet_length(d.document) <= {most}
          THEN d.document END, s.snapshot
      FROM (SELECT pg_current_snapshot()::text AS snapshot) AS s
      LEFT JOIN (SELECT {document} AS document FROM ({query}) AS q{columns} OFFSET 0) AS d ON true
      LIMIT 2\
      """;

  /** Plans the query, asks for the rights that it needs, and does not run it. */
  private static final String KIND =
      """
      SELECT NULL::bigint, CASE WHEN pg_typeof(q.document) IN ('json'::regtype, 'jsonb'::regtype)
          AND (SELECT count(*) FROM json_object_keys(row_to_json(ROW(q.*)))) = 1
        THEN 'json' ELSE 'row' END, NULL::text
      FROM (SELECT 1) AS one LEFT JOIN ({query}) AS q (document) ON false\
      """;

  private QueryStatement() {}

  /** The statement whose second column says how the query's row is made a document. */
  static String kind(EntityQuery query) {
    return SqlTemplate.fill(KIND, Map.of("query", QueryText.ofNone(query.text())));
  }

  /**
   * The statement whose row has the document's size in bytes, the document, if it has at most
   * {@code most}, and the snapshot.
   *
   * @param kind as {@link #kind} says
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
