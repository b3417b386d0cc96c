package dev.recorder.capture.postgres.catalog;

import dev.recorder.capture.CaptureNames;
import dev.recorder.capture.CaptureOptions;
import dev.recorder.capture.CaptureRule;
import dev.recorder.capture.CapturedColumn;
import dev.recorder.capture.CapturedTable;
import dev.recorder.capture.ColumnChoice;
import dev.recorder.capture.OldImage;
import dev.recorder.capture.PinnedColumns;
import dev.recorder.capture.PinnedRelation;
import dev.recorder.capture.RuleExpressions;
import dev.recorder.capture.TableName;
import dev.recorder.capture.script.ChosenColumns;
import dev.recorder.capture.script.ColumnQuery;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.postgres.sql.SqlTemplate;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads a table from the catalog, and refuses tables that cannot be captured. */
public final class TableCatalog {
  private final Connection connection;
  private final SchemaNames schemas;
  private final TableRefusals refusals;

  public TableCatalog(Connection connection, SchemaNames schemas) {
    this.connection = connection;
    this.schemas = schemas;
    this.refusals = new TableRefusals(connection, schemas);
  }

  /** A relation of the wanted name, whether a table or not. */
  record FoundTable(
      long oid, TableName name, String kind, boolean isTemporary, boolean isPartition) {}

  private static final Sql PARSED = Sql.of("SELECT parse_ident(:text)");

  /**
   * Parses a table's name. The default schema is {@code public}.
   *
   * @throws RefusedCaptureException if the text is no name
   */
  public TableName parse(String text) throws SQLException, RefusedCaptureException {
    String[] parts;
    try (SqlStatement statement = PARSED.on(connection)) {
      parts = statement.set("text", text).first(row -> (String[]) row.getArray(1).getArray()).get();
    } catch (SQLException e) {
      if ("22023".equals(e.getSQLState())) {
        throw new RefusedCaptureException(
            "'%s' is not the name of a table: give schema.table, each part in double quotes if it has other than small letters, digits and _"
                .formatted(text));
      }
      throw e;
    }
    return switch (parts.length) {
      case 1 -> new TableName("public", parts[0]);
      case 2 -> new TableName(parts[0], parts[1]);
      default ->
          throw new RefusedCaptureException(
              "'%s' has %d parts: give schema.table of this database"
                  .formatted(text, parts.length));
    };
  }

  private static final Sql TABLE =
      Sql.of(
          """
          SELECT c.oid, n.nspname, c.relname, c.relkind,
            c.relpersistence = 't' AS is_temporary, c.relispartition
          FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
          WHERE n.nspname = :schema AND c.relname = :name
          """);

  private Optional<FoundTable> find(TableName name) throws SQLException {
    try (SqlStatement statement = TABLE.on(connection)) {
      return statement
          .set("schema", name.schema())
          .set("name", name.name())
          .first(
              row ->
                  new FoundTable(
                      row.getLong("oid"),
                      new TableName(row.getString("nspname"), row.getString("relname")),
                      row.getString("relkind"),
                      row.getBoolean("is_temporary"),
                      row.getBoolean("relispartition")));
    }
  }

  /**
   * Reads the table of a rule that will be set up.
   *
   * @param name the table's present name
   * @param before the columns captured until now; null if the table was not captured
   * @param forOthers whether another role, whose rights are not known, will set the capture up
   * @throws RefusedCaptureException if the table cannot be captured with these options
   * @throws DatabaseException with kind RIGHTS and the SQL to run, if this role lacks a right
   */
  public CapturedTable read(
      CaptureRule rule, TableName name, @Nullable PinnedColumns before, boolean forOthers)
      throws SQLException, RefusedCaptureException {
    FoundTable found = found(name);
    refusals.checkTriggers(found, rule.recorder());
    PinnedRelation relation = relation(rule, found, forOthers, losses(rule));
    List<CapturedColumn> there = columns(found);
    PinnedColumns pins = pinned(found, rule.options(), there, before);
    return read(rule, found, relation, there, pins, true);
  }

  /**
   * Reads the table of an existing capture as it is now.
   *
   * @param name the table's present name
   * @throws RefusedCaptureException if the table can no longer be captured with these options
   */
  public CapturedTable readAgain(Capture capture, TableName name)
      throws SQLException, RefusedCaptureException {
    FoundTable found = found(name);
    PinnedRelation relation = relation(capture.rule(), found, true, List.of());
    return read(capture.rule(), found, relation, columns(found), capture.columns(), false);
  }

  private CapturedTable read(
      CaptureRule rule,
      FoundTable found,
      PinnedRelation relation,
      List<CapturedColumn> there,
      PinnedColumns pins,
      boolean isNew)
      throws SQLException, RefusedCaptureException {
    List<CapturedColumn> columns = captured(found, there, pins);
    RuleExpressions expressions = new ExpressionCheck(connection, found.name()).read(rule, isNew);
    CapturedTable table =
        new CapturedTable(
            relation,
            pins,
            columns,
            Long.parseLong(asked(ColumnQuery.fingerprint(found.oid() + "::oid"))),
            asked(ColumnQuery.typeNumbers(found.oid() + "::oid") + "::text"),
            asked(ColumnQuery.keyHasChanged(found.oid() + "::oid", keyNumbers(columns))),
            asked(ColumnQuery.shape(found.oid() + "::oid")),
            expressions,
            found.kind().equals("p"));
    if (table.key().isEmpty() && rule.options().old() != OldImage.ALL) {
      throw new RefusedCaptureException(
          "table %s has no key (a primary key, or a unique index over columns that are NOT NULL; not DEFERRABLE, by the operator classes that their types have by default, and without columns of regclass and other types that are written as names of objects), so that its updates and deletes need the whole old row: give it one, or capture with --old all"
              .formatted(rule.table()));
    }
    return table;
  }

  private static List<Integer> keyNumbers(List<CapturedColumn> columns) {
    return columns.stream()
        .filter(CapturedColumn::isKey)
        .sorted(Comparator.comparingInt(CapturedColumn::keyPosition))
        .map(CapturedColumn::number)
        .toList();
  }

  /**
   * Reads the table of a rule for documents, which needs no key. Otherwise as {@link #read}.
   *
   * @param name the table's present name
   */
  public PinnedRelation ofDocuments(CaptureRule rule, TableName name, boolean forOthers)
      throws SQLException, RefusedCaptureException {
    FoundTable found = found(name);
    refusals.checkTriggers(found, rule.recorder());
    PinnedRelation relation = relation(rule, found, forOthers, losses(rule));
    new ExpressionCheck(connection, name).read(rule, true);
    return relation;
  }

  private FoundTable found(TableName name) throws SQLException, RefusedCaptureException {
    FoundTable found =
        find(name).orElseThrow(() -> new RefusedCaptureException("there is no table " + name));
    refusals.check(found);
    return found;
  }

  private List<String> losses(CaptureRule rule) throws SQLException {
    return new CaptureCheck(connection, new CaptureNames(schemas))
        .losses(rule.recorder(), rule.table().logged()).stream()
            .map(CaptureFinding::state)
            .toList();
  }

  private PinnedRelation relation(
      CaptureRule rule, FoundTable found, boolean forOthers, List<String> losses)
      throws SQLException {
    List<TableName> tree = relations(found);
    if (!forOthers) {
      TriggerRight.require(connection, tree);
    }
    List<TableName> strays =
        new CaptureList(connection, new CaptureNames(schemas))
            .armed(rule).stream().filter(armed -> !tree.contains(armed)).toList();
    return new PinnedRelation(found.oid(), found.kind().equals("p"), tree, strays, losses);
  }

  private static final Sql NAME =
      Sql.of(
          """
          SELECT n.nspname, c.relname
          FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = :table::oid
          """);

  /** Returns a table's present name. */
  public TableName name(long table) throws SQLException {
    try (SqlStatement statement = NAME.on(connection)) {
      return statement
          .set("table", table)
          .first(row -> new TableName(row.getString(1), row.getString(2)))
          .orElseThrow(() -> new SQLException("table " + table + " is gone", "42P01"));
    }
  }

  private static final Sql RELATIONS =
      Sql.of(
          """
          SELECT n.nspname, c.relname
          FROM (SELECT :table::oid AS relid, 0 AS level
            UNION SELECT t.relid, t.level FROM pg_partition_tree(:table::oid::regclass) t) t
          JOIN pg_class c ON c.oid = t.relid JOIN pg_namespace n ON n.oid = c.relnamespace
          ORDER BY t.level, n.nspname, c.relname
          """);

  private List<TableName> relations(FoundTable found) throws SQLException {
    try (SqlStatement statement = RELATIONS.on(connection)) {
      return statement
          .set("table", found.oid())
          .all(row -> new TableName(row.getString(1), row.getString(2)));
    }
  }

  private static final String COLUMNS =
      "SELECT number, name, encoding, compared, coalesce(key_position, 0) FROM ({query}) AS c ORDER"
          + " BY number";

  private List<CapturedColumn> columns(FoundTable found)
      throws SQLException, RefusedCaptureException {
    List<CapturedColumn> all = new ArrayList<>();
    String query = ColumnQuery.columns(found.oid() + "::oid", ChosenColumns.ALL);
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(SqlTemplate.fill(COLUMNS, Map.of("query", query)))) {
      while (row.next()) {
        all.add(
            new CapturedColumn(
                row.getInt(1),
                row.getString(2),
                row.getString(3),
                row.getString(4),
                row.getInt(5)));
      }
    }
    if (all.isEmpty()) {
      throw new RefusedCaptureException(
          "table %s has no column that could be captured".formatted(found.name()));
    }
    return all;
  }

  /**
   * Returns the columns that a choice means now. Refuses a choice that would capture a column left
   * out before under another name.
   */
  private static PinnedColumns pinned(
      FoundTable found,
      CaptureOptions options,
      List<CapturedColumn> there,
      @Nullable PinnedColumns before)
      throws RefusedCaptureException {
    ColumnChoice choice = options.columns();
    PinnedColumns former =
        before != null && before.relation() == found.oid()
            ? before
            : PinnedColumns.all(found.oid());
    requireAll(found, choice, there, former);
    for (CapturedColumn column : there) {
      if (former.isMistaken(choice, column)) {
        throw new RefusedCaptureException(
            "column %s of table %s was left out under another name, and these options would capture it: give the names that columns have now, or end the capture first with 'recorder capture remove'"
                .formatted(column.name(), found.name()));
      }
    }
    return PinnedColumns.of(found.oid(), choice, there);
  }

  private static void requireAll(
      FoundTable found, ColumnChoice choice, List<CapturedColumn> there, PinnedColumns former)
      throws RefusedCaptureException {
    Set<String> wanted = new TreeSet<>(choice.only());
    wanted.addAll(choice.except());
    there.forEach(column -> wanted.remove(column.name()));
    if (!wanted.isEmpty()) {
      throw new RefusedCaptureException(
          "table %s has no column %s that could be captured"
              .formatted(
                  found.name(),
                  wanted.stream()
                      .map(
                          name ->
                              former
                                  .nameNow(name, there)
                                  .map(now -> "%s (called %s now)".formatted(name, now))
                                  .orElse(name))
                      .collect(Collectors.joining(", "))));
    }
  }

  private static List<CapturedColumn> captured(
      FoundTable found, List<CapturedColumn> there, PinnedColumns pins)
      throws RefusedCaptureException {
    for (CapturedColumn column : there) {
      if (column.isKey() && !pins.has(column)) {
        throw new RefusedCaptureException(
            "column %s belongs to the key of table %s, without which no change of a row can be told: capture it, too"
                .formatted(column.name(), found.name()));
      }
    }
    return there.stream().filter(pins::has).toList();
  }

  private String asked(String expression) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                SqlTemplate.fill("SELECT {expression}", Map.of("expression", expression)))) {
      row.next();
      return row.getString(1);
    }
  }
}
