package dev.recorder.slotlog.postgres;

import dev.recorder.handoff.RecorderKind;
import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlArrays;
import dev.recorder.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/**
 * Checks that a hand-off table fits the recorder's kind, and that its columns have the types that
 * the recorder gave them.
 */
public final class HandoffShape {
  private static final Map<String, String> OF_LOGS =
      Map.of("id", "int8", "xid", "xid8", "time", "timestamptz", "key", "text", "payload", "json");

  /** The payload is not listed, as only its text is read. */
  private static final Map<String, String> OF_REQUESTS =
      Map.ofEntries(
          Map.entry("id", "int8"),
          Map.entry("request_status", "text"),
          Map.entry("request_type", "text"),
          Map.entry("process_id", "uuid"),
          Map.entry("entity_id", "text"),
          Map.entry("error_text", "text"),
          Map.entry("attempts", "int4"),
          Map.entry("deaths", "int4"),
          Map.entry("begun_by", "text"),
          Map.entry("begun_at", "timestamptz"),
          Map.entry("not_before", "timestamptz"),
          Map.entry("fence", "xid8"),
          Map.entry("created_at", "timestamptz"),
          Map.entry("settled_at", "timestamptz"));

  private final String table;
  private final RecorderKind kind;

  public HandoffShape(SchemaNames names, RecorderName recorder, RecorderKind kind) {
    this.table = names.handoffTable(recorder);
    this.kind = kind;
  }

  private static final Sql KIND =
      Sql.of(
          """
          SELECT count(*) FILTER (WHERE attname = 'request_status') > 0
          FROM pg_attribute a
          JOIN pg_class c ON c.oid = a.attrelid
          JOIN pg_namespace n ON n.oid = c.relnamespace
          WHERE n.nspname = split_part(:table, '.', 1)::name
            AND c.relname = split_part(:table, '.', 2)::name AND a.attnum > 0 AND NOT a.attisdropped
          HAVING count(*) > 0
          """);

  /**
   * Compares types by their OIDs, since the printed name of a type depends on settings of the
   * session.
   */
  private static final Sql OTHER_TYPES =
      Sql.of(
          """
          SELECT a.attname, format_type(a.atttypid, NULL), wanted.type,
            a.atttypid = 'pg_catalog.bytea'::regtype
          FROM unnest(:columns::text[], :types::text[]) wanted (name, type)
          JOIN pg_attribute a ON a.attname = wanted.name::name
          JOIN pg_class c ON c.oid = a.attrelid
          JOIN pg_namespace n ON n.oid = c.relnamespace
          WHERE n.nspname = split_part(:table, '.', 1)::name
            AND c.relname = split_part(:table, '.', 2)::name AND a.attnum > 0 AND NOT a.attisdropped
            AND a.atttypid <> ('pg_catalog.' || wanted.type)::regtype
          ORDER BY a.attnum LIMIT 1
          """);

  /** Returns the fault and its remedy; empty if there is no fault or no such table. */
  public String fault(Connection connection) throws SQLException {
    try (SqlStatement statement = KIND.on(connection)) {
      String fault = statement.set("table", table).first(row -> kind(row.getBoolean(1))).orElse("");
      return fault.isEmpty() ? otherType(connection) : fault;
    }
  }

  private String kind(boolean requests) {
    return requests == (kind == RecorderKind.REQUESTS)
        ? ""
        : "table %s is one of kind = %s, this file says kind = %s; give the recorder another name"
            .formatted(
                table, (requests ? RecorderKind.REQUESTS : RecorderKind.LOG).word(), kind.word());
  }

  private String otherType(Connection connection) throws SQLException {
    Map<String, String> wanted = kind == RecorderKind.LOG ? OF_LOGS : OF_REQUESTS;
    List<String> columns = List.copyOf(wanted.keySet());
    try (SqlStatement statement = OTHER_TYPES.on(connection)) {
      return statement
          .set("columns", SqlArrays.of(columns))
          .set("types", SqlArrays.of(columns.stream().map(wanted::get).toList()))
          .set("table", table)
          .first(
              row -> fault(row.getString(1), row.getString(2), row.getString(3), row.getBoolean(4)))
          .orElse("");
    }
  }

  private String fault(String column, String type, String wanted, boolean isBytes) {
    return "column %1$s of table %2$s has become %3$s, which %4$s; let its owner run: ALTER TABLE %2$s ALTER COLUMN %1$s TYPE %5$s%6$s"
        .formatted(
            column, table, type, harm(column), sqlName(wanted), using(column, wanted, isBytes));
  }

  /**
   * Returns the harm of a changed type. A slot is planned by its bytes. If {@code jsonb} has
   * rewritten a payload, the next active host cannot build the same object again, and the verifier
   * cannot compare it.
   */
  private static String harm(String column) {
    return column.equals("payload")
        ? "does not keep what producers wrote byte for byte"
        : "the recorder would read as something else, or not at all";
  }

  private static String sqlName(String type) {
    return switch (type) {
      case "int8" -> "bigint";
      case "int4" -> "int";
      default -> type;
    };
  }

  /** Returns the addition for types that need an explicit cast. */
  private static String using(String column, String wanted, boolean isBytes) {
    if (wanted.equals("xid8") || wanted.equals("uuid")) {
      return " USING %1$s::text::%2$s".formatted(column, wanted);
    }
    if (wanted.equals("timestamptz")) {
      return ", with TimeZone set to what it was when it was altered";
    }
    return isBytes && wanted.equals("text")
        ? " USING pg_catalog.convert_from(%s, 'UTF8')".formatted(column)
        : "";
  }
}
