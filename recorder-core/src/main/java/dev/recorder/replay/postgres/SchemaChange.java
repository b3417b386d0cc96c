package dev.recorder.replay.postgres;

import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.replay.postgres.TableShape.Column;
import dev.recorder.replay.postgres.TargetTypes.FoundType;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A table's columns as a {@code schema} row of a log defines them.
 *
 * @param payload the whole payload
 */
record SchemaChange(LoggedTable table, List<NewColumn> columns, List<String> key, String payload) {

  /**
   * A column as defined from now on.
   *
   * @param number unique number, which a rename does not change; 0 if the log does not have it
   * @param column the column in the target, of type text if the target cannot use its type
   * @param said the column's type in the log
   * @param obstacle why the target cannot use that type; null if it can
   * @param existing the value in rows that existed before the column was added; null for NULL
   */
  record NewColumn(
      int number,
      Column column,
      String said,
      @Nullable String obstacle,
      @Nullable String existing) {
    String name() {
      return column.name();
    }

    NewColumn asText(String why) {
      return new NewColumn(number, text(name()), said, why, existing);
    }

    private static Column text(String name) {
      return new Column(name, "text", false);
    }

    private static NewColumn of(ResultSet row) throws SQLException {
      String type = String.valueOf(row.getString("type"));
      return new NewColumn(
          row.getInt("number"),
          new Column(row.getString("name"), type, false),
          type,
          null,
          row.getString("existing_rows"));
    }

    private NewColumn as(FoundType found) {
      return found.obstacle() == null
          ? new NewColumn(number, new Column(name(), said, found.isJson()), said, null, existing)
          : asText(found.obstacle());
    }
  }

  /** Reads the payload. Types that the target cannot use are replaced by text. */
  static SchemaChange read(Connection connection, LoggedTable table, String payload)
      throws SQLException {
    List<NewColumn> said = columns(connection, payload);
    List<FoundType> types =
        new TargetTypes(connection).find(said.stream().map(NewColumn::said).toList());
    List<NewColumn> columns = new ArrayList<>();
    for (int i = 0; i < said.size(); i++) {
      columns.add(said.get(i).as(types.get(i)));
    }
    try (SqlStatement statement = KEY.on(connection)) {
      List<String> key = statement.set("payload", payload).all(row -> row.getString(1));
      return new SchemaChange(table, columns, key, payload);
    }
  }

  /** Returns this change with other columns of the same names. */
  SchemaChange with(List<NewColumn> others) {
    return new SchemaChange(table, others, key, payload);
  }

  /**
   * Checks that names and numbers are valid and unique, that the key consists of these columns, and
   * that the mark of a snapshot's beginning is valid.
   */
  private static final Sql HAS_FORM =
      Sql.of(
          """
          SELECT (
              SELECT count(*) > 0
                AND bool_and(coalesce(json_typeof(c.said -> 'name') = 'string'
                  AND json_typeof(c.said -> 'type') = 'string'
                  AND octet_length(c.name) BETWEEN 1 AND 63
                  AND NOT c.name = ANY ('{tableoid,cmax,xmax,cmin,xmin,ctid}'), false))
                AND count(DISTINCT c.name) = count(*)
                AND count(DISTINCT nullif(c.number, 0)) = count(nullif(c.number, 0))
              FROM (SELECT s AS said, s ->> 'name' AS name, (s ->> 'number')::integer AS number
                FROM json_array_elements(r.said -> 'columns') AS s) AS c)
            AND (
              SELECT count(DISTINCT k.name) = count(*) AND coalesce(bool_and(k.name IN (
                  SELECT s ->> 'name' FROM json_array_elements(r.said -> 'columns') AS s)), true)
              FROM json_array_elements_text(coalesce(r.said -> 'key', '[]')) AS k (name))
            AND coalesce(r.said ->> 'snapshot' <> 'begin'
              OR (r.said ->> 'visible')::pg_snapshot IS NOT NULL, true)
          FROM (SELECT :payload::json AS said) AS r
          """);

  /** Returns whether the payload defines columns that a table can have. */
  static boolean hasForm(Connection connection, String payload) throws SQLException {
    List<Boolean> form = new ArrayList<>();
    new SavepointAttempt(connection)
        .isDone(
            () -> {
              try (SqlStatement statement = HAS_FORM.on(connection)) {
                form.add(statement.set("payload", payload).truth());
              }
            });
    return form.contains(true);
  }

  /** Reads the columns. A type that contains a comment is refused. */
  private static final Sql COLUMNS =
      Sql.of(
          """
          SELECT coalesce(c.number, 0) AS number, c.name,
            CASE WHEN c.type !~ '--|/[*]' THEN c.type ELSE '' END AS type, c.existing_rows
          FROM json_to_recordset(:payload::json -> 'columns')
            AS c (number integer, name text, type text, existing_rows text)
          """);

  private static final Sql KEY =
      Sql.of("SELECT * FROM json_array_elements_text(coalesce(:payload::json -> 'key', '[]'))");

  /** Returns the columns as the log defines them. */
  static List<NewColumn> columns(Connection connection, String payload) throws SQLException {
    try (SqlStatement statement = COLUMNS.on(connection)) {
      return statement.set("payload", payload).all(NewColumn::of);
    }
  }

  TableShape shape() {
    List<Column> all = columns.stream().map(NewColumn::column).toList();
    TableShape keyless = new TableShape(table, all, List.of(), List.of());
    List<Column> keys = key.stream().map(name -> keyless.find(name).orElseThrow()).toList();
    return new TableShape(table, all, keys, List.of());
  }
}
