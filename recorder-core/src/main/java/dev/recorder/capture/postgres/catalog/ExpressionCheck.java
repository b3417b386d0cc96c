package dev.recorder.capture.postgres.catalog;

import dev.recorder.capture.CaptureRule;
import dev.recorder.capture.RowExpression;
import dev.recorder.capture.RuleExpressions;
import dev.recorder.capture.TableName;
import dev.recorder.capture.TextEncoding;
import dev.recorder.capture.script.ColumnQuery;
import dev.recorder.capture.script.NamedColumns;
import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.postgres.sql.SqlTemplate;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Checks the {@code --when} and {@code --key} of a rule. The server parses each as a temporary view
 * of the table, which is rolled back. The check covers the columns that they name, volatile
 * functions, and keys that can be null.
 */
final class ExpressionCheck {
  private static final String VIEW = "recorder_expression";

  private final Connection connection;
  private final TableName relation;
  private TextEncoding keyText = TextEncoding.CAST;
  private final Set<String> called = new TreeSet<>();
  private boolean isNew;

  /**
   * Creates the check for one table.
   *
   * @param relation the table's present name; its expressions use the name in the log
   */
  ExpressionCheck(Connection connection, TableName relation) {
    this.connection = connection;
    this.relation = relation;
  }

  /**
   * Checks both expressions.
   *
   * @param isNew whether to refuse, too, conditions that only captures set up earlier may have:
   *     those that depend on the time or the session
   * @throws RefusedCaptureException if an expression cannot be used
   */
  RuleExpressions read(CaptureRule rule, boolean isNew)
      throws SQLException, RefusedCaptureException {
    this.isNew = isNew;
    TreeSet<String> columns = new TreeSet<>();
    String when = rule.options().when();
    String key = rule.options().key();
    columns.addAll(columns("--when", when, "boolean", rule));
    columns.addAll(columns("--key", key, "text", rule));
    return new RuleExpressions(List.copyOf(columns), List.copyOf(called), keyText);
  }

  private record Named(String column, boolean isNullable, boolean isVirtual, String text) {}

  private List<String> columns(
      String option, @Nullable String expression, String type, CaptureRule rule)
      throws SQLException, RefusedCaptureException {
    if (expression == null) {
      return List.of();
    }
    String fault = RowExpression.fault(expression);
    if (!fault.isEmpty()) {
      throw refused(option, expression, fault);
    }
    List<Named> named = read(option, expression, type, rule);
    for (Named column : named) {
      if (column.isVirtual()) {
        throw refused(option, expression, virtual(column.column()));
      }
      if (option.equals("--key") && column.isNullable()) {
        throw refused(
            option, expression, "can be null: column " + column.column() + " is not NOT NULL");
      }
    }
    return named.stream().map(Named::text).toList();
  }

  private static final String OF_ROWS = "SELECT ({expression}) AS value FROM ONLY {table} AS {row}";

  private List<Named> read(String option, String expression, String type, CaptureRule rule)
      throws SQLException, RefusedCaptureException {
    connection.setAutoCommit(false);
    Savepoint before = connection.setSavepoint();
    try {
      String obstacle = ExpressionView.create(connection, VIEW, query(rule, relation, expression));
      if (!obstacle.isEmpty()) {
        throw refused(option, expression, obstacle);
      }
      refuse(option, expression, type);
      if (isNew && option.equals("--when")) {
        String fault = MomentCheck.fault(connection, VIEW, expression, false);
        if (!fault.isEmpty()) {
          throw refused(option, expression, fault + MomentCheck.WHY);
        }
      }
      if (option.equals("--key")) {
        keyText = ValueType.encoding(connection, "pg_temp." + VIEW);
      }
      called.addAll(ExpressionView.called(connection, VIEW));
      return named();
    } catch (SQLException e) {
      if (!ExpressionView.isRefusal(e)) {
        throw e;
      }
      connection.rollback(before);
      throw refused(option, expression, notOver(rule, e) + NotFoundByName.remedy(connection, e));
    } finally {
      connection.rollback(before);
    }
  }

  /**
   * Returns the time or session dependence of an existing capture's {@code --when}; empty if there
   * is none.
   */
  static String momentOf(Connection connection, CaptureRule rule, TableName name)
      throws SQLException {
    String when = rule.options().when();
    if (when == null) {
      return "";
    }
    Savepoint before = connection.setSavepoint();
    try {
      return ExpressionView.create(connection, VIEW, query(rule, name, when)).isEmpty()
          ? MomentCheck.fault(connection, VIEW, when, false)
          : "";
    } catch (SQLException e) {
      if (!ExpressionView.isRefusal(e)) {
        throw e;
      }
      return ""; // The triggers leave it out, or unreadOf() reports it.
    } finally {
      connection.rollback(before);
    }
  }

  /**
   * Returns the expression of an existing capture that the server can no longer parse, with the
   * reason; empty if it parses both.
   */
  static String unreadOf(Connection connection, CaptureRule rule, TableName name)
      throws SQLException {
    String when = unread(connection, rule, name, "--when", rule.options().when());
    return when.isEmpty() ? unread(connection, rule, name, "--key", rule.options().key()) : when;
  }

  private static String unread(
      Connection connection,
      CaptureRule rule,
      TableName name,
      String option,
      @Nullable String expression)
      throws SQLException {
    if (expression == null) {
      return "";
    }
    String use = option.equals("--when") ? "(" + expression + ") IS TRUE" : expression;
    Savepoint before = connection.setSavepoint();
    try {
      ExpressionView.create(connection, VIEW, query(rule, name, use));
      return "";
    } catch (SQLException e) {
      if (!ExpressionView.isRefusal(e)) {
        throw e;
      }
      return "%s '%s' %s".formatted(option, expression, notOver(rule, e));
    } finally {
      connection.rollback(before);
    }
  }

  private static String notOver(CaptureRule rule, SQLException e) {
    return "is not an expression over columns of %s: %s"
        .formatted(rule.table(), String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
  }

  private static String query(CaptureRule rule, TableName name, String expression) {
    return SqlTemplate.fill(
        OF_ROWS,
        Map.of(
            "expression",
            expression,
            "table",
            name.quoted(),
            "row",
            Quoted.identifier(rule.table().name())));
  }

  /**
   * Reads the view's parsed text, since no other catalog has the server's own functions that a view
   * calls.
   */
  private static final Sql FAULT =
      Sql.of(
          """
          SELECT CASE
            WHEN r.ev_action::text LIKE '%:hasSubLinks true%' THEN 'has a subquery'
            WHEN r.ev_action::text ~ ':(hasAggs|hasWindowFuncs|hasTargetSRFs) true'
              THEN 'asks for more than the row'
            WHEN r.ev_action::text ~ '\\{NEXTVALUEEXPR ' THEN 'is volatile'
            WHEN v.name IS NOT NULL
              THEN format('is volatile: %s may say something else each time', v.name)
            WHEN r.ev_action::text ~ ':varattno 0 ' THEN 'names a row as a whole: name its columns'
            WHEN u.name IS NOT NULL
              THEN format('uses %s, %s', u.name, u.why)
            WHEN :type = 'boolean' AND t.atttypid <> 'boolean'::regtype
              THEN format('is no condition: it has type %s', format_type(t.atttypid, -1)) END
          FROM pg_rewrite r
          JOIN pg_attribute t ON t.attrelid = r.ev_class AND t.attnum = 1
          LEFT JOIN LATERAL (
            SELECT p.proname || '()' AS name
            FROM regexp_matches(r.ev_action::text, ':(?:op)?funcid (\\d+)', 'g') AS m
            JOIN pg_proc p ON p.oid = m[1]::oid
            WHERE p.provolatile = 'v' LIMIT 1) v ON true
          LEFT JOIN LATERAL ({untrusted}) AS u ON true
          WHERE r.ev_class = :view::regclass
          """,
          Map.of("untrusted", CodeOfExpressions.untrusted()));

  private void refuse(String option, String expression, String type)
      throws SQLException, RefusedCaptureException {
    try (SqlStatement statement = FAULT.on(connection)) {
      String fault =
          statement
              .set("type", type)
              .set("view", "pg_temp." + VIEW)
              .first(row -> row.getString(1))
              .orElse("");
      if (!fault.isEmpty()) {
        throw refused(option, expression, fault);
      }
    }
  }

  private static final Sql NAMED =
      Sql.of(
          """
          SELECT DISTINCT a.attname, NOT {not_null}, a.attgenerated = 'v', {text}
          FROM pg_rewrite r
          JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid
            AND d.refclassid = 'pg_class'::regclass AND d.refobjsubid > 0
          JOIN pg_attribute a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid
          WHERE r.ev_class = :view::regclass AND d.refobjid <> r.ev_class
          """,
          Map.of("not_null", ColumnQuery.notNull("a"), "text", NamedColumns.text("a")));

  private List<Named> named() throws SQLException {
    try (SqlStatement statement = NAMED.on(connection)) {
      return statement
          .set("view", "pg_temp." + VIEW)
          .all(
              row ->
                  new Named(
                      row.getString(1), row.getBoolean(2), row.getBoolean(3), row.getString(4)));
    }
  }

  /** Returns why an expression over a virtual column is refused. */
  static String virtual(String column) {
    return "names column %s, which is generated on reading (virtual), and null to a trigger: name the columns that it is made of"
        .formatted(column);
  }

  private static RefusedCaptureException refused(String option, String expression, String why) {
    return new RefusedCaptureException("%s '%s' %s".formatted(option, expression, why));
  }
}
