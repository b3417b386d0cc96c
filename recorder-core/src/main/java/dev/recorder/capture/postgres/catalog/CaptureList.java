package dev.recorder.capture.postgres.catalog;

import dev.recorder.capture.CaptureNames;
import dev.recorder.capture.CaptureOptions;
import dev.recorder.capture.CaptureRule;
import dev.recorder.capture.ColumnChoice;
import dev.recorder.capture.OldImage;
import dev.recorder.capture.PinnedColumns;
import dev.recorder.capture.TableName;
import dev.recorder.capture.script.CaptureTriggers.Purpose;
import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.postgres.sql.TimestampColumns;
import dev.recorder.schema.ServerQueries;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Reads which tables are captured. */
public final class CaptureList {
  private final Connection connection;
  private final CaptureNames names;

  public CaptureList(Connection connection, CaptureNames names) {
    this.connection = connection;
    this.names = names;
  }

  /** Returns the capture of a table by the table's present name or else by its name in the log. */
  public Optional<Capture> of(CaptureRule rule) throws SQLException {
    List<Capture> ofRecorder =
        all().stream().filter(c -> c.rule().recorder().equals(rule.recorder())).toList();
    return ofRecorder.stream()
        .filter(capture -> rule.table().equals(capture.table()))
        .findFirst()
        .or(
            () ->
                ofRecorder.stream()
                    .filter(capture -> rule.table().equals(capture.rule().table()))
                    .findFirst());
  }

  private static final String ALL =
      """
      SELECT k.recorder, k.schema_name, k.table_name, k.only_columns, k.except_columns, k.relation,
        k.chosen, k.left_out, k.when_sql, k.key_sql, k.old, k.since, k.entity_sql, k.name_taken, n.nspname, r.relname, {purpose} AS purpose
      FROM ({roots}) AS k
      LEFT JOIN pg_class r ON r.oid = k.root LEFT JOIN pg_namespace n ON n.oid = r.relnamespace
      ORDER BY k.recorder, k.captured
      """;

  public List<Capture> all() throws SQLException {
    if (!ServerQueries.exists(connection, names.captures())) {
      return List.of();
    }
    Map<String, String> pieces =
        Map.of("roots", CaptureRoots.of(names, connection), "purpose", CaptureRoots.PURPOSE);
    try (SqlStatement statement = Sql.in(names.schemas(), ALL, pieces).on(connection)) {
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
    CaptureRule rule =
        new CaptureRule(
            new RecorderName(row.getString("recorder")),
            new TableName(row.getString("schema_name"), row.getString("table_name")),
            options);
    String table = row.getString("relname");
    return new Capture(
        rule,
        table == null ? null : new TableName(row.getString("nspname"), table),
        new PinnedColumns(
            row.getLong("relation"),
            options.columns(),
            numbers(row, "chosen"),
            numbers(row, "left_out")),
        Purpose.valueOf(row.getString("purpose")),
        armed(rule),
        row.getBoolean("name_taken"),
        TimestampColumns.time(row, "since"));
  }

  /** Orders tables that belong to the captured table first, parents before partitions. */
  private static final String ARMED =
      """
      WITH k AS (
        {roots}
        WHERE k.recorder = :recorder AND k.captured = :captured)
      SELECT n.nspname, c.relname
      FROM (SELECT DISTINCT t.tgrelid FROM pg_trigger t JOIN k ON t.tgfoid = k.function) AS t
      JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_namespace n ON n.oid = c.relnamespace
      CROSS JOIN LATERAL (
        SELECT count(*) AS level, coalesce(bool_or(a.relid = k.root), false) AS belongs
        FROM k LEFT JOIN pg_partition_ancestors(c.oid) a ON true) AS place
      LEFT JOIN k ON k.root = c.oid
      WHERE c.relpersistence <> 't'
      ORDER BY k.root IS NULL, place.belongs DESC, place.level, 1, 2
      """;

  /**
   * Returns the tables that have triggers of a capture, parents first; empty if there is no
   * capture.
   */
  List<TableName> armed(CaptureRule rule) throws SQLException {
    if (!ServerQueries.exists(connection, names.captures())) {
      return List.of();
    }
    Map<String, String> pieces = Map.of("roots", CaptureRoots.of(names, connection));
    try (SqlStatement statement = Sql.in(names.schemas(), ARMED, pieces).on(connection)) {
      return statement
          .set("recorder", rule.recorder().value())
          .set("captured", rule.table().logged())
          .all(row -> new TableName(row.getString(1), row.getString(2)));
    }
  }

  private static List<Integer> numbers(ResultSet row, String column) throws SQLException {
    return List.of((Integer[]) row.getArray(column).getArray());
  }

  private static List<String> texts(ResultSet row, String column) throws SQLException {
    List<String> texts = new ArrayList<>();
    for (Object text : (Object[]) row.getArray(column).getArray()) {
      texts.add(text.toString());
    }
    return texts;
  }
}
