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
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The columns of a table: the base columns, which every table has, and typed columns with values
 * from the payload.
 *
 * @param prefix the beginning of the base columns' names; empty for a log's table
 * @param typed the typed columns, in their order
 */
public record TableColumns(String prefix, List<TableColumn> typed) {
  private static final String DAY = "day";

  private static final List<Map.Entry<String, ColumnType>> BASE =
      List.of(
          Map.entry("id", ColumnType.BIGINT),
          Map.entry("xid", ColumnType.BIGINT),
          Map.entry("time", ColumnType.TIMESTAMP),
          Map.entry("key", ColumnType.STRING),
          Map.entry("payload", ColumnType.STRING),
          Map.entry("slot", ColumnType.BIGINT));

  /** The number of the base columns. */
  public static final int BASE_COLUMNS = BASE.size();

  private static final int MOST_WANTED = 100;
  private static final String PATH = "recorder.path";

  /** Characters that names of columns must not have in Delta. */
  private static final Pattern FORBIDDEN = Pattern.compile("[ ,;{}()\\n\\t=]");

  /** The columns of a log's table without typed columns. */
  public static final TableColumns NONE = new TableColumns("", List.of());

  /**
   * The columns of a captured table's changes, without the columns of that table. Their names have
   * a prefix, since a captured table has columns such as {@code id}, too.
   */
  static final TableColumns CHANGES =
      new TableColumns(
          "log_",
          List.of(
              new TableColumn("log_op", JsonPath.parse("$.op"), ColumnType.STRING),
              new TableColumn("log_seq", JsonPath.parse("$.seq"), ColumnType.BIGINT)));

  public TableColumns {
    typed = List.copyOf(typed);
    Set<String> names = baseNames(prefix);
    for (TableColumn column : typed) {
      if (!names.add(column.name().toLowerCase(Locale.ROOT))) {
        throw new IllegalArgumentException("column " + column.name() + " is there already");
      }
    }
  }

  private static Set<String> baseNames(String prefix) {
    Set<String> names = new HashSet<>();
    BASE.forEach(base -> names.add(prefix + base.getKey()));
    names.add(prefix + DAY);
    return names;
  }

  /** Returns names and types of the base columns, in their order. */
  public List<Map.Entry<String, ColumnType>> base() {
    return BASE.stream().map(base -> Map.entry(prefix + base.getKey(), base.getValue())).toList();
  }

  /** Returns the name of the partition column, which the files do not contain. */
  String day() {
    return prefix + DAY;
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
    if (columns.size() > MOST_WANTED) {
      throw new IllegalArgumentException("there are more than " + MOST_WANTED + " columns");
    }
    return new TableColumns("", columns);
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
    return new TableColumns(prefix, all);
  }

  /**
   * Returns these columns and those of a captured table. A column whose type in PostgreSQL changed
   * gets a second column, for example {@code amount_2}: each has the values that fit it.
   *
   * @param schema {@code columns} of a change {@code schema}
   */
  TableColumns withCaptured(JsonNode schema) {
    List<TableColumn> all = new ArrayList<>(typed);
    Set<String> names = baseNames(prefix);
    typed.forEach(column -> names.add(column.name().toLowerCase(Locale.ROOT)));
    for (JsonNode column : schema) {
      ValueSource source = new RowColumn(column.path("name").asText());
      ColumnType type = ColumnType.ofPostgres(column.path("type").asText());
      if (typed.stream().noneMatch(c -> c.source().equals(source) && c.type().equals(type))) {
        all.add(new TableColumn(freeName(column.path("name").asText(), names), source, type));
      }
    }
    return all.size() == typed.size() ? this : new TableColumns(prefix, all);
  }

  /** Returns a name that Delta allows, and adds it to the names that are taken. */
  private static String freeName(String wanted, Set<String> taken) {
    String allowed = FORBIDDEN.matcher(wanted).replaceAll("_");
    String name = allowed;
    for (int number = 2; !taken.add(name.toLowerCase(Locale.ROOT)); number++) {
      name = allowed + "_" + number;
    }
    return name;
  }

  /** Returns the columns as Delta's schema string. */
  String schema(boolean byDay) {
    ArrayNode fields = DeltaJson.array();
    base().forEach(base -> fields.add(field(base.getKey(), base.getValue())));
    if (byDay) {
      fields.add(field(day(), ColumnType.DATE));
    }
    for (TableColumn column : typed) {
      ObjectNode field = field(column.name(), column.type());
      field.withObject("/metadata").put(PATH, column.source().text());
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
    JsonNode fields = DeltaJson.parse(schema).path("fields");
    String first = fields.path(0).path("name").asText();
    String prefix = first.startsWith(CHANGES.prefix) ? CHANGES.prefix : "";
    for (JsonNode field : fields) {
      JsonNode path = field.path("metadata").path(PATH);
      if (path.isTextual()) {
        typed.add(
            new TableColumn(
                field.path("name").asText(),
                ValueSource.parse(path.asText()),
                ColumnType.parse(field.path("type").asText())));
      }
    }
    TableColumns found = new TableColumns(prefix, typed);
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
