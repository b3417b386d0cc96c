package dev.recorder.capture.postgres.catalog;

import dev.recorder.capture.script.CalledFunctions;
import dev.recorder.postgres.SqlStates;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.postgres.sql.SqlTemplate;
import dev.recorder.postgres.sql.UntrustedTypeCode;
import dev.recorder.sqltext.UntypedConstants;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Has the server parse a user's expression as a temporary view, without planning or running it.
 *
 * <p>While parsing, the server converts each constant to the type that its context requires. If
 * that type contains a domain, the domain's checks would run with the rights of this session. So a
 * view without such constants is parsed first, to learn their types.
 */
final class ExpressionView {
  private static final String CREATE = "CREATE TEMPORARY VIEW {view} AS {query}";

  private static final String UNREAD = "recorder_unread";

  /**
   * Classes of SQLSTATEs by which the server refuses an expression, such as unknown names (42),
   * invalid constants (22) and unknown schemas (3F).
   */
  private static final Set<String> REFUSED = Set.of("42", "22", "23", "3F", "0A", "P0");

  private ExpressionView() {}

  /** Returns whether the server refused the expression for a reason other than missing rights. */
  static boolean isRefusal(SQLException e) {
    String state = String.valueOf(e.getSQLState());
    return REFUSED.contains(state.substring(0, 2)) && !state.equals(SqlStates.NO_RIGHT);
  }

  private static final Sql OBSTACLE =
      Sql.of(
          """
          SELECT format('has a constant that is read as type %s: %s; or cast what it meets to a'
            ' type of the server', format_type(t.oid, NULL), o.obstacle)
          FROM pg_type t CROSS JOIN LATERAL (SELECT {obstacle} AS obstacle) AS o
          WHERE o.obstacle IS NOT NULL AND t.oid IN (
            SELECT m[1]::oid FROM pg_rewrite r
            CROSS JOIN LATERAL regexp_matches(r.ev_action::text, ':consttype (\\d+)', 'g') AS m
            WHERE r.ev_class = :view::regclass)
          ORDER BY 1 LIMIT 1
          """,
          Map.of("obstacle", UntrustedTypeCode.obstacle("whoever reads it")));

  /**
   * Creates the view, unless this would run code of other roles.
   *
   * @param view its name, without a schema
   * @return why it was not created, worded to follow the expression; empty if it was created
   */
  static String create(Connection connection, String view, String query) throws SQLException {
    run(connection, UNREAD, UntypedConstants.in(query));
    try (SqlStatement statement = OBSTACLE.on(connection)) {
      String obstacle =
          statement.set("view", "pg_temp." + UNREAD).first(row -> row.getString(1)).orElse("");
      if (!obstacle.isEmpty()) {
        return obstacle;
      }
    }
    run(connection, view, query);
    return "";
  }

  private static final Sql CALLED =
      Sql.of("SELECT unnest({called})", Map.of("called", CalledFunctions.of(":view::regclass")));

  /** Returns the users' functions that the view calls. */
  static List<String> called(Connection connection, String view) throws SQLException {
    try (SqlStatement statement = CALLED.on(connection)) {
      return statement.set("view", "pg_temp." + view).all(row -> row.getString(1));
    }
  }

  private static void run(Connection connection, String view, String query) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.setEscapeProcessing(false);
      statement.execute(SqlTemplate.fill(CREATE, Map.of("view", view, "query", query)));
    }
  }
}
