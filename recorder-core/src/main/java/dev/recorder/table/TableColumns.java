package dev.recorder.table;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The columns of a table: the base columns, which every table has, and typed columns with values
 * from the payload.
 *
 * @param typed the typed columns, in their order
 */
public record TableColumns(List<TableColumn> typed) {
  /** The partition column, which the files do not contain. */
  static final String DAY = "day";

  private static final List<Map.Entry<String, ColumnType>> BASE =
      List.of(
          Map.entry("id", ColumnType.BIGINT),
          Map.entry("xid", ColumnType.BIGINT),
          Map.entry("time", ColumnType.TIMESTAMP),
          Map.entry("key", ColumnType.STRING),
          Map.entry("payload", ColumnType.STRING),
          Map.entry("slot", ColumnType.BIGINT));

  private static final int MOST = 100;
  private static final String PATH = "recorder.path";

  /** No typed columns. */
  public static final TableColumns NONE = new TableColumns(List.of());

  public TableColumns {
    typed = List.copyOf(typed);
    Set<String> names = new HashSet<>();
    BASE.forEach(base -> names.add(base.getKey()));
    names.add(DAY);
    for (TableColumn column : typed) {
      if (!names.add(column.name().toLowerCase(Locale.ROOT))) {
        throw new IllegalArgumentException("column " + column.name() + " is there already");
      }
    }
    if (typed.size() > MOST) {
      throw new IllegalArgumentException("there are more than " + MOST + " columns");
    }
  }

  /** Returns names and types of the base columns, in their order. */
  public static List<Map.Entry<String, ColumnType>> base() {
    return BASE;
  }

  /**
   * Parses a list such as {@code amount:$.amount decimal(18,2), at:$.at timestamp}.
   *
   * @throws IllegalArgumentException if the text is no such list
   */
  public static TableColumns parse(String text) {
    List<TableColumn> columns = new ArrayList<>();
    for (String each : text.split(",(?![^(]*\\))", -1)) {
      columns.add(TableColumn.parse(each));
    }
    return new TableColumns(columns);
  }

  /**
   * Returns these columns and the {@code wanted} ones. A table never loses a column.
   *
   * @throws IllegalArgumentException if a wanted column differs from an existing one of the same
   *     name
   */
  TableColumns with(TableColumns wanted) {
    Map<String, TableColumn> known = new HashMap<>();
    typed.forEach(column -> known.put(column.name().toLowerCase(Locale.ROOT), column));
    List<TableColumn> all = new ArrayList<>(typed);
    for (TableColumn column : wanted.typed) {
      TableColumn before = known.get(column.name().toLowerCase(Locale.ROOT));
      if (before == null) {
        all.add(column);
      } else if (!before.equals(column)) {
        throw new IllegalArgumentException(
            "the table has column '%s', table_columns wants '%s': give the new one another name"
                .formatted(before, column));
      }
    }
    return new TableColumns(all);
  }

  /** Returns the columns as Delta's schema string. */
  String schema(boolean byDay) {
    ArrayNode fields = DeltaJson.array();
    BASE.forEach(base -> fields.add(field(base.getKey(), base.getValue())));
    if (byDay) {
      fields.add(field(DAY, ColumnType.DATE));
    }
    for (TableColumn column : typed) {
      ObjectNode field = field(column.name(), column.type());
      field.withObject("/metadata").put(PATH, column.path().text());
      fields.add(field);
    }
    return DeltaJson.object().put("type", "struct").<ObjectNode>set("fields", fields).toString();
  }

  private static ObjectNode field(String name, ColumnType type) {
    ObjectNode field = DeltaJson.object();
    field.put("name", name).put("type", type.inSchema()).put("nullable", true);
    field.putObject("metadata");
    return field;
  }

  /**
   * Returns the typed columns of a schema string.
   *
   * @throws IllegalArgumentException if the schema was not made by a recorder
   */
  static TableColumns ofSchema(String schema, boolean byDay) {
    List<TableColumn> typed = new ArrayList<>();
    for (JsonNode field : DeltaJson.parse(schema).path("fields")) {
      JsonNode path = field.path("metadata").path(PATH);
      if (path.isTextual()) {
        typed.add(
            new TableColumn(
                field.path("name").asText(),
                JsonPath.parse(path.asText()),
                ColumnType.parse(field.path("type").asText())));
      }
    }
    TableColumns found = new TableColumns(typed);
    if (!DeltaJson.parse(found.schema(byDay)).equals(DeltaJson.parse(schema))) {
      throw new IllegalArgumentException("its columns are not those that a recorder gives it");
    }
    return found;
  }

  @Override
  public String toString() {
    return typed.stream().map(TableColumn::toString).collect(Collectors.joining(", "));
  }
}
