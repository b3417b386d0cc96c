package dev.recorder.capture.postgres.catalog;

import dev.recorder.capture.CaptureNames;
import dev.recorder.capture.CaptureRule;
import dev.recorder.capture.EntitySource;
import dev.recorder.capture.RowExpression;
import dev.recorder.capture.TableName;
import dev.recorder.capture.TextEncoding;
import dev.recorder.capture.script.CaptureTriggers;
import dev.recorder.capture.script.ColumnQuery;
import dev.recorder.capture.script.EntityExpression;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.schema.QueryFunction;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Checks {@code --entity}, the expression or query for the entities of a row. The server parses it
 * as a temporary view of the table, which is rolled back. The check covers that it yields one
 * column, which tables and columns it reads, and the rights of the role that evaluates it.
 */
public final class EntityCheck {
  private static final String VIEW = "recorder_entities";

  private final Connection connection;
  private final CaptureRule rule;
  private final String expression;
  private boolean isNew;
  private boolean isUnread;
  private String moment = "";

  public EntityCheck(Connection connection, CaptureRule rule) {
    this.connection = connection;
    this.rule = rule;
    this.expression = Objects.requireNonNull(rule.options().entity(), "entity");
  }

  /**
   * Returns the source of the entities for a capture that is being set up. Also refuses virtual
   * columns, and expressions that depend on the time or the session.
   */
  public EntitySource sourceOfNew(List<TableName> relations, boolean forOthers)
      throws SQLException, RefusedCaptureException {
    isNew = true;
    return source(relations, forOthers);
  }

  /**
   * Returns the source of the entities of a table's rows.
   *
   * @param relations the table, by its present name, and the tables below it
   * @param forOthers whether another role will set the capture up and can grant missing rights
   * @throws RefusedCaptureException if {@code --entity} cannot be used for ids
   * @throws DatabaseException with kind RIGHTS and the SQL to run, if the role that evaluates the
   *     expression lacks a right that this role cannot grant
   */
  public EntitySource source(List<TableName> relations, boolean forOthers)
      throws SQLException, RefusedCaptureException {
    String fault = RowExpression.fault(expression);
    if (!fault.isEmpty()) {
      throw refused(fault);
    }
    connection.setAutoCommit(false);
    Savepoint before = connection.setSavepoint();
    try {
      String obstacle =
          ExpressionView.create(
              connection, VIEW, EntityExpression.ofRows(rule, "ONLY " + relations.get(0).quoted()));
      if (!obstacle.isEmpty()) {
        isUnread = true;
        throw refused(obstacle);
      }
      refuse();
      moment = MomentCheck.fault(connection, VIEW, expression, true);
      if (isNew) {
        refuseVirtual(relations.get(0));
        if (!moment.isEmpty()) {
          throw refused(moment + MomentCheck.WHY);
        }
      }
      return source(relations.get(0), forOthers);
    } catch (SQLException e) {
      if (!ExpressionView.isRefusal(e)) {
        throw e;
      }
      connection.rollback(before);
      throw refused(
          "is no expression or query over a row of "
              + rule.table()
              + ": "
              + String.valueOf(e.getMessage()).lines().findFirst().orElse("")
              + NotFoundByName.remedy(connection, e));
    } finally {
      connection.rollback(before);
    }
  }

  private static final Sql SHAPE =
      Sql.of(
          "SELECT {fingerprint}, {shape}",
          Map.of(
              "fingerprint", ColumnQuery.fingerprint(":table::regclass"),
              "shape", ColumnQuery.shape(":table::regclass")));

  private EntitySource source(TableName table, boolean forOthers)
      throws SQLException, RefusedCaptureException {
    List<String> grants = grants(table, forOthers);
    boolean looksUp = looksUp();
    TextEncoding idText = ValueType.encoding(connection, "pg_temp." + VIEW);
    List<String> columns = columns(table);
    String read = read(table, columns);
    String meant = meant(table, columns);
    try (SqlStatement statement = SHAPE.on(connection)) {
      return statement
          .set("table", table.quoted())
          .first(
              row ->
                  new EntitySource(
                      grants,
                      looksUp,
                      idText,
                      columns,
                      ExpressionView.called(connection, VIEW),
                      row.getLong(1),
                      row.getString(2),
                      read,
                      meant))
          .orElseThrow();
    }
  }

  /**
   * Returns a finding if statements on the captured table fail now, if this cannot be determined,
   * or if the expression depends on the time or the session. Empty if nothing is wrong.
   */
  public Optional<CaptureFinding> finding(CaptureNames names, List<TableName> relations)
      throws SQLException {
    String trouble = trouble(relations);
    if (trouble.isEmpty()) {
      String unmet = unmet(names, relations.get(0));
      trouble =
          unmet.isEmpty() ? "" : unmet + " does not exist, or is another one than --entity means";
    }
    if (trouble.isEmpty() && !moment.isEmpty()) {
      return Optional.of(MomentCheck.finding(rule, "--entity", expression, moment));
    }
    return trouble.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new CaptureFinding(
                rule.recorder().value(),
                rule.table().logged(),
                false,
                isUnread
                    ? "whether statements on it fail is not known: " + trouble
                    : "statements on it fail, so that nothing is lost: "
                        + trouble
                        + "; add the capture with --again"));
  }

  private String trouble(List<TableName> relations) throws SQLException {
    try {
      List<String> grants = source(relations, true).grants();
      return grants.isEmpty()
          ? ""
          : "role recorder_reader may not read what its triggers need: run " + grants;
    } catch (RefusedCaptureException refused) {
      return String.valueOf(refused.getMessage());
    }
  }

  private static final Sql FAULT =
      Sql.of(
          """
          SELECT CASE
            WHEN c.relnatts <> 1 THEN format('yields %s columns: one is wanted, the id', c.relnatts)
            WHEN r.ev_action::text ~ '\\{NEXTVALUEEXPR ' THEN 'is volatile'
            WHEN v.name IS NOT NULL
              THEN format('is volatile: %s may say something else each time', v.name) END
          FROM pg_rewrite r JOIN pg_class c ON c.oid = r.ev_class
          LEFT JOIN LATERAL (
            SELECT p.proname || '()' AS name
            FROM regexp_matches(r.ev_action::text, ':(?:op)?funcid (\\d+)', 'g') AS m
            JOIN pg_proc p ON p.oid = m[1]::oid
            WHERE p.provolatile = 'v' LIMIT 1) v ON true
          WHERE r.ev_class = :view::regclass
          """);

  private static final Sql VIRTUAL =
      Sql.of(
          """
          SELECT a.attname FROM pg_rewrite r
          JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid
            AND d.refclassid = 'pg_class'::regclass AND d.refobjid = :table::regclass
          JOIN pg_attribute a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid
          WHERE r.ev_class = :view::regclass AND a.attgenerated = 'v' ORDER BY a.attnum
          """);

  private void refuseVirtual(TableName table) throws SQLException, RefusedCaptureException {
    try (SqlStatement statement = VIRTUAL.on(connection)) {
      Optional<String> column =
          statement
              .set("table", table.quoted())
              .set("view", "pg_temp." + VIEW)
              .first(row -> row.getString(1));
      if (column.isPresent()) {
        throw refused(ExpressionCheck.virtual(column.get()));
      }
    }
  }

  private void refuse() throws SQLException, RefusedCaptureException {
    try (SqlStatement statement = FAULT.on(connection)) {
      String fault =
          statement.set("view", "pg_temp." + VIEW).first(row -> row.getString(1)).orElse("");
      if (!fault.isEmpty()) {
        throw refused(fault);
      }
    }
  }

  /** Query for the columns that the view names; all columns if it names a row as a whole. */
  private static final Sql COLUMNS =
      Sql.of(
          """
          SELECT a.attname FROM pg_attribute a
          JOIN pg_rewrite r ON r.ev_class = :view::regclass
          WHERE a.attrelid = :table::regclass AND a.attnum > 0 AND NOT a.attisdropped
            AND a.attgenerated <> 'v'
            AND (r.ev_action::text ~ ':varattno 0 ' OR EXISTS (
              SELECT FROM pg_depend d WHERE d.classid = 'pg_rewrite'::regclass
                AND d.objid = r.oid AND d.refclassid = 'pg_class'::regclass
                AND d.refobjid = a.attrelid AND d.refobjsubid = a.attnum))
          ORDER BY a.attnum
          """);

  private List<String> columns(TableName table) throws SQLException {
    try (SqlStatement statement = COLUMNS.on(connection)) {
      return statement
          .set("view", "pg_temp." + VIEW)
          .set("table", table.quoted())
          .all(row -> row.getString(1));
    }
  }

  private static final Sql READ_COLUMNS =
      Sql.of(
          "SELECT {read}", Map.of("read", EntityExpression.read(":table::regclass", ":columns")));

  private String read(TableName table, List<String> columns) throws SQLException {
    try (SqlStatement statement = READ_COLUMNS.on(connection)) {
      return statement
          .set("table", table.quoted())
          .setArray("columns", "text", columns.toArray())
          .first(row -> row.getString(1))
          .orElseThrow();
    }
  }

  /**
   * The columns and tables that the expression refers to. A table without a named column counts as
   * a table. The captured table counts as a table, too, if the query reads it by itself.
   */
  private static final Sql MEANT =
      Sql.of(
          "{meant}",
          Map.of(
              "meant",
              EntityExpression.meant(
                  ":table::regclass::oid",
                  """
                  SELECT a.attrelid, a.attnum::int FROM pg_attribute AS a
                  WHERE a.attrelid = :table::regclass AND a.attname = ANY (:columns::text[])
                    AND a.attnum > 0
                  UNION
                  SELECT d.refobjid, d.refobjsubid FROM pg_rewrite AS r
                  JOIN pg_depend AS d ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid
                    AND d.refclassid = 'pg_class'::regclass
                  WHERE r.ev_class = :view::regclass
                    AND d.refobjid NOT IN (r.ev_class, :table::regclass)
                  UNION
                  SELECT :table::regclass, 0 FROM pg_rewrite AS r
                  WHERE r.ev_class = :view::regclass AND (SELECT count(*) FROM regexp_matches(
                    r.ev_action::text, ':rtekind 0 :relid (\\d+)', 'g') AS m
                    WHERE m[1]::oid = :table::regclass) > 1""")));

  private String meant(TableName table, List<String> columns) throws SQLException {
    try (SqlStatement statement = MEANT.on(connection)) {
      return statement
          .set("table", table.quoted())
          .set("view", "pg_temp." + VIEW)
          .setArray("columns", "text", columns.toArray())
          .first(row -> Objects.requireNonNullElse(row.getString(1), "{}"))
          .orElseThrow();
    }
  }

  private static final String UNMET =
      """
      SELECT {unmet} FROM {captures} c JOIN pg_proc f ON f.proname = c.function_name
        AND f.pronamespace = :schema::regnamespace
      WHERE c.recorder = :recorder AND c.captured = :captured
        AND c.relation = :table::regclass
      """;

  private String unmet(CaptureNames names, TableName table) throws SQLException {
    String unmet = EntityExpression.unmet("c.relation", EntityExpression.meantBy("f.prosrc"));
    try (SqlStatement statement =
        Sql.in(names.schemas(), UNMET, Map.of("unmet", unmet)).on(connection)) {
      return statement
          .set("schema", names.schemas().control())
          .set("recorder", rule.recorder().value())
          .set("captured", rule.table().logged())
          .set("table", table.quoted())
          .first(row -> Objects.requireNonNullElse(row.getString(1), ""))
          .orElse("");
    }
  }

  /**
   * Whether other rows are read: the view has a second table, or calls a user's function that is
   * not IMMUTABLE, which may read any table.
   */
  private static final Sql LOOKS_UP =
      Sql.of(
          """
          SELECT (SELECT count(*) FROM regexp_matches(
              r.ev_action::text, ':rtekind 0 :relid (\\d+)', 'g') AS m
              WHERE m[1]::oid <> r.ev_class) > 1
            OR EXISTS (SELECT FROM regexp_matches(r.ev_action::text, ':funcid (\\d+)', 'g') AS m
              JOIN pg_proc p ON p.oid = m[1]::oid
              WHERE p.pronamespace <> 'pg_catalog'::regnamespace AND p.provolatile <> 'i')
          FROM pg_rewrite r WHERE r.ev_class = :view::regclass
          """);

  private boolean looksUp() throws SQLException {
    try (SqlStatement statement = LOOKS_UP.on(connection)) {
      return statement.set("view", "pg_temp." + VIEW).truth();
    }
  }

  private static final Sql READ =
      Sql.of(
          """
          WITH role AS (SELECT (SELECT oid FROM pg_roles WHERE rolname = :role) AS oid),
          read AS (
            SELECT d.refobjid AS oid FROM pg_rewrite r
            JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid
              AND d.refclassid = 'pg_class'::regclass AND d.refobjid <> r.ev_class
            WHERE r.ev_class = :view::regclass
            UNION SELECT :table::regclass
            UNION SELECT t.relid FROM pg_partition_tree(:table::regclass) t)
          SELECT n.nspname, c.relname,
            c.relrowsecurity AND NOT coalesce((SELECT rolbypassrls OR rolsuper FROM pg_roles
              WHERE rolname = :role), false) AS hides_rows,
            coalesce(has_table_privilege(role.oid, c.oid, 'SELECT'), false) AS may_table,
            coalesce(has_schema_privilege(role.oid, n.oid, 'USAGE'), n.nspname = 'public')
              AS may_schema,
            has_table_privilege(c.oid, 'SELECT WITH GRANT OPTION') AS may_grant_table,
            has_schema_privilege(n.oid, 'USAGE WITH GRANT OPTION') AS may_grant_schema
          FROM read JOIN pg_class c ON c.oid = read.oid
          JOIN pg_namespace n ON n.oid = c.relnamespace CROSS JOIN role
          WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f')
          ORDER BY n.nspname, c.relname
          """);

  private List<String> grants(TableName table, boolean forOthers)
      throws SQLException, RefusedCaptureException {
    Set<String> schemas = new LinkedHashSet<>();
    Set<String> tables = new LinkedHashSet<>();
    boolean may = true;
    try (SqlStatement statement = READ.on(connection)) {
      ResultSet row =
          statement
              .set("role", QueryFunction.READERS)
              .set("view", "pg_temp." + VIEW)
              .set("table", table.quoted())
              .query();
      while (row.next()) {
        TableName read = new TableName(row.getString("nspname"), row.getString("relname"));
        if (row.getBoolean("hides_rows")) {
          throw refused(
              "reads table %s, whose row level security would keep rows from role %s"
                  .formatted(read, QueryFunction.READERS));
        }
        if (!row.getBoolean("may_table")) {
          tables.add(CaptureTriggers.grant(read));
          may &= row.getBoolean("may_grant_table");
        }
        if (!row.getBoolean("may_schema")) {
          schemas.add(CaptureTriggers.grantSchema(read));
          may &= row.getBoolean("may_grant_schema");
        }
      }
    }
    List<String> grants = new ArrayList<>(schemas);
    grants.addAll(tables);
    if (!may && !forOthers) {
      throw new DatabaseException(
          DatabaseErrorKind.RIGHTS,
          "role %s may not read all that --entity needs, and this role cannot let it: let the owners run %s; or an administrator the output of the same command with --print"
              .formatted(QueryFunction.READERS, String.join("; ", grants)));
    }
    return grants;
  }

  private RefusedCaptureException refused(String why) {
    return new RefusedCaptureException("--entity '%s' %s".formatted(expression, why));
  }
}
