package dev.recorder.capture.postgres;

import dev.recorder.capture.CaptureNames;
import dev.recorder.capture.CaptureOptions;
import dev.recorder.capture.CaptureRule;
import dev.recorder.capture.ColumnChoice;
import dev.recorder.capture.OldImage;
import dev.recorder.capture.TableName;
import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.sql.Columns;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.schema.ServerQueries;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Reads which tables are captured. */
final class CaptureList {
  private final Connection connection;
  private final CaptureNames names;
  private final Sql all;
  private final Sql one;
  private final Sql armed;

  CaptureList(Connection connection, CaptureNames names) {
    this.connection = connection;
    this.names = names;
    this.all = Sql.in(names.schemas(), ALL);
    this.one = Sql.in(names.schemas(), ONE);
    this.armed = Sql.in(names.schemas(), ARMED);
  }

  private static final String ONE =
      "SELECT EXISTS (SELECT FROM {captures} WHERE recorder = :recorder AND captured = :captured)";

  boolean has(CaptureRule rule) throws SQLException {
    if (!ServerQueries.exists(connection, names.captures())) {
      return false;
    }
    try (SqlStatement statement = one.on(connection)) {
      return statement
          .set("recorder", rule.recorder().value())
          .set("captured", rule.table().logged())
          .truth();
    }
  }

  private static final String ALL =
      """
      SELECT recorder, schema_name, table_name, only_columns, except_columns, when_sql, key_sql,
        old, since, told, function_name, entity_sql
      FROM {captures} ORDER BY recorder, captured
      """;

  List<Capture> all() throws SQLException {
    if (!ServerQueries.exists(connection, names.captures())) {
      return List.of();
    }
    try (SqlStatement statement = all.on(connection)) {
      return statement.all(this::capture);
    }
  }

  private Capture capture(ResultSet row) throws SQLException {
    CaptureOptions options =
        new CaptureOptions(
            new ColumnChoice(texts(row, "only_columns"), texts(row, "except_columns")),
            row.getString("when_sql"),
            row.getString("key_sql"),
            OldImage.valueOf(row.getString("old").toUpperCase(Locale.ROOT)),
            row.getString("entity_sql"));
    return new Capture(
        new CaptureRule(
            new RecorderName(row.getString("recorder")),
            new TableName(row.getString("schema_name"), row.getString("table_name")),
            options),
        relations(row.getString("function_name")),
        Columns.time(row, "since"),
        row.getString("told"));
  }

  /** The highest first. */
  private static final String ARMED =
      """
      SELECT DISTINCT (SELECT count(*) FROM pg_partition_ancestors(c.oid) a WHERE a.relid <> c.oid),
        n.nspname, c.relname
      FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
      JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE p.proname = :function AND p.pronamespace = :schema::regnamespace
        AND c.relpersistence <> 't'
      ORDER BY 1, 2, 3
      """;

  private List<TableName> relations(String function) throws SQLException {
    try (SqlStatement statement = armed.on(connection)) {
      return statement
          .set("function", function)
          .set("schema", names.schemas().control())
          .all(row -> new TableName(row.getString(2), row.getString(3)));
    }
  }

  private static List<String> texts(ResultSet row, String column) throws SQLException {
    List<String> texts = new ArrayList<>();
    for (Object text : (Object[]) row.getArray(column).getArray()) {
      texts.add(text.toString());
    }
    return texts;
  }
}
