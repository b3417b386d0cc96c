package dev.recorder.capture.postgres;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.recorder.capture.TableName;
import dev.recorder.testing.servers.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Rebuilds a table from what was captured, in schema {@code copy}, by docs/capture.md and nothing
 * else.
 */
public final class Replay {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** A column as the log has it. */
  private record Column(String name, String type) {}

  private final Connection connection;
  private final String table;
  private final String copy;
  private final Map<Integer, Column> columns = new LinkedHashMap<>();

  private Replay(Connection connection, TableName table) {
    this.connection = connection;
    this.table = table.logged();
    this.copy = "copy." + quoted(table.name());
  }

  /** Fails unless the table and its copy show the same rows. */
  public static void provesEqual(CaptureSite site, TableName table) throws Exception {
    try (Connection connection = site.database.connectAsSuperuser();
        Statement statement = connection.createStatement()) {
      statement.setEscapeProcessing(false);
      statement.execute("SET search_path = pg_catalog, pg_temp");
      statement.execute("SET TimeZone = 'UTC'; SET DateStyle = 'ISO'; SET lc_monetary = 'C'");
      statement.execute("DROP SCHEMA IF EXISTS copy CASCADE; CREATE SCHEMA copy");
      new Replay(connection, table).run(site);
      String rows = "SELECT t::text FROM %s AS t ORDER BY 1";
      assertThat(text(connection, rows.formatted("copy." + quoted(table.name()))))
          .isEqualTo(text(connection, rows.formatted(table.quoted())));
    }
  }

  private static List<String> text(Connection connection, String query) throws SQLException {
    return TestDatabase.query(connection, query, row -> row.getString(1));
  }

  private void run(CaptureSite site) throws Exception {
    List<String> changes =
        site.database.query(
            "SELECT payload::text FROM handoff.orders" + " ORDER BY (payload->>'seq')::bigint, id",
            row -> row.getString(1));
    for (String change : changes) {
      JsonNode json = JSON.readTree(change);
      if (json.get("table").asText().equals(table)) {
        apply(json, change);
      }
    }
  }

  private void apply(JsonNode change, String text) throws SQLException {
    switch (change.get("op").asText()) {
      case "schema" -> schema(change);
      case "insert" -> put(text);
      case "update" -> {
        take(change, text);
        put(text);
      }
      case "delete" -> take(change, text);
      case "truncate" ->
          execute(
              "DELETE FROM "
                  + copy
                  + (change.has("where") ? " WHERE " + change.get("where").asText() : ""));
      default -> throw new IllegalArgumentException(text);
    }
  }

  private void schema(JsonNode change) throws SQLException {
    Map<Integer, Column> now = new LinkedHashMap<>();
    Map<Integer, JsonNode> told = new HashMap<>();
    for (JsonNode column : change.get("columns")) {
      int number = column.get("number").asInt();
      now.put(number, new Column(column.get("name").asText(), column.get("type").asText()));
      told.put(number, column);
    }
    if (columns.isEmpty()) {
      execute("CREATE TABLE " + copy + " ()");
    }
    for (Map.Entry<Integer, Column> was : columns.entrySet()) {
      Column is = now.get(was.getKey());
      String name = quoted(was.getValue().name());
      if (is == null) {
        execute("ALTER TABLE " + copy + " DROP COLUMN " + name);
      } else if (!is.name().equals(was.getValue().name())) {
        rename(name, quoted("of " + was.getKey()));
      }
    }
    for (Map.Entry<Integer, Column> is : now.entrySet()) { // Two may have swapped their names.
      Column was = columns.get(is.getKey());
      if (was != null && !is.getValue().name().equals(was.name())) {
        rename(quoted("of " + is.getKey()), quoted(is.getValue().name()));
      }
    }
    for (Map.Entry<Integer, Column> is : now.entrySet()) {
      Column was = columns.get(is.getKey());
      String name = quoted(is.getValue().name());
      if (was == null) {
        JsonNode existing = told.get(is.getKey()).get("existing_rows");
        execute("ALTER TABLE " + copy + " ADD COLUMN " + name + " " + is.getValue().type());
        if (existing != null) {
          change(
              "UPDATE " + copy + " SET " + name + " = ?::" + is.getValue().type(),
              List.of(existing.asText()));
        }
      } else if (!was.type().equals(is.getValue().type())) {
        execute(
            "ALTER TABLE %1$s ALTER COLUMN %2$s TYPE %3$s USING %2$s::text::%3$s"
                .formatted(copy, name, is.getValue().type()));
      }
    }
    columns.clear();
    columns.putAll(now);
  }

  private void rename(String name, String becomes) throws SQLException {
    execute("ALTER TABLE " + copy + " RENAME COLUMN " + name + " TO " + becomes);
  }

  private void put(String text) throws SQLException {
    String names =
        columns.values().stream().map(each -> quoted(each.name())).collect(joining(", "));
    String values =
        columns.values().stream()
            .map(each -> "(row->>'%s')::%s".formatted(each.name().replace("'", "''"), each.type()))
            .collect(joining(", "));
    // Once to the server, and once through its parser: a row may have a hundred columns.
    String sql =
        "INSERT INTO %s (%s) SELECT %s FROM (SELECT ?::json->'after' AS row OFFSET 0) AS change"
            .formatted(copy, names, values);
    change(sql, List.of(text));
  }

  private void take(JsonNode change, String text) throws SQLException {
    String member = change.has("key") ? "key" : "before";
    List<String> conditions = new ArrayList<>();
    List<String> texts = new ArrayList<>();
    for (Iterator<String> names = change.get(member).fieldNames(); names.hasNext(); ) {
      String name = names.next();
      conditions.add(
          "format('%s', t."
              + quoted(name)
              + ") = format('%s', ("
              + value(member)
              + ")::"
              + type(name)
              + ")");
      texts.add(text);
      texts.add(name);
    }
    String sql =
        "DELETE FROM %1$s WHERE ctid = (SELECT ctid FROM %1$s AS t WHERE %2$s LIMIT 1)"
            .formatted(copy, String.join(" AND ", conditions));
    if (change(sql, texts) != 1) {
      throw new AssertionError("no row to take for " + text);
    }
  }

  private String type(String column) {
    return columns.values().stream()
        .filter(c -> c.name().equals(column))
        .findFirst()
        .orElseThrow()
        .type();
  }

  /** Its text, of a change and a column that are bound. */
  private static String value(String member) {
    return "?::json->'" + member + "'->>?";
  }

  private int change(String sql, List<String> texts) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < texts.size(); i++) {
        statement.setString(i + 1, texts.get(i));
      }
      return statement.executeUpdate();
    }
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.setEscapeProcessing(false);
      statement.execute(sql);
    }
  }

  private static String quoted(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }
}
