package dev.recorder.capture.script;

import static dev.recorder.schema.CaptureTriggerNames.LOOKS_UP;

import dev.recorder.capture.CaptureNames;
import dev.recorder.capture.TableName;
import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.SqlTemplate;
import dev.recorder.schema.QueryFunction;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The triggers of one relation, a captured table or one below it, which all have the function of
 * the captured table: one event each, since transition tables allow no more.
 *
 * @param function with its schema
 */
public record CaptureTriggers(RecorderName recorder, String function, Purpose purpose) {
  /** What the function makes of a change. */
  public enum Purpose {
    /** A row of a log. */
    CHANGES(""),
    /** Requests for documents. */
    ENTITIES(""),
    /** The same, of entities that are found in other rows. */
    ENTITIES_LOOKED_UP(Quoted.literal(LOOKS_UP));

    private final String argument;

    /**
     * Requests for documents.
     *
     * @param looksUp whether entities are found in other rows
     */
    public static Purpose ofEntities(boolean looksUp) {
      return looksUp ? ENTITIES_LOOKED_UP : ENTITIES;
    }

    public boolean isOfDocuments() {
      return this == ENTITIES || this == ENTITIES_LOOKED_UP;
    }

    Purpose(String argument) {
      this.argument = argument;
    }
  }

  /** Nothing of others in schema public is called; nobody waits longer behind a request for one. */
  static final List<String> PRUDENCE =
      List.of("SET LOCAL search_path = pg_catalog, pg_temp", CaptureScript.lockTimeout());

  private static final String TRUNCATE = "truncate";

  private static final String TRIGGER =
      """
      CREATE OR REPLACE TRIGGER {trigger} {when} ON {table}{referencing}
        FOR EACH STATEMENT EXECUTE FUNCTION {function}({argument})\
      """;

  private static final List<Map.Entry<String, String>> EVENTS =
      List.of(
          Map.entry("insert", " REFERENCING NEW TABLE AS new_rows"),
          Map.entry("update", " REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows"),
          Map.entry("delete", " REFERENCING OLD TABLE AS old_rows"),
          Map.entry(TRUNCATE, ""));

  /** For one transaction: the relation is locked against writers from the first to its end. */
  public List<String> arming(TableName relation) {
    List<String> statements = new ArrayList<>(PRUDENCE);
    statements.addAll(create(relation));
    return statements;
  }

  /** Lets what evaluates the expression read a relation that is being armed for documents. */
  public static String grant(TableName relation) {
    return SqlTemplate.fill(
        "GRANT SELECT ON {table} TO {role}",
        Map.of("table", relation.quoted(), "role", QueryFunction.READERS));
  }

  /** The same of the schema that it is in. */
  public static String grantSchema(TableName relation) {
    return SqlTemplate.fill(
        "GRANT USAGE ON SCHEMA {schema} TO {role}",
        Map.of("schema", relation.quotedSchema(), "role", QueryFunction.READERS));
  }

  /** What {@link #arming} has, for psql. */
  public String script(TableName relation) {
    StringBuilder script = new StringBuilder();
    script.append("\n-- Also when ").append(Quoted.comment(relation.quoted()));
    script.append(" is written to itself.\nBEGIN;\n");
    arming(relation).forEach(statement -> script.append(statement).append(";\n"));
    return script.append("COMMIT;\n").toString();
  }

  /** For one transaction: a relation that does not belong to the capture has no trigger of it. */
  public List<String> disarming(TableName relation) {
    return disarming(function, regclass(relation));
  }

  /**
   * The same of any function.
   *
   * @param relation SQL expression of its {@code regclass}
   */
  public static List<String> disarming(String function, String relation) {
    List<String> statements = new ArrayList<>(PRUDENCE);
    statements.add(drops(function, relation, ""));
    return statements;
  }

  private static String drops(String function, String relation, String but) {
    String block =
        SqlTemplate.fill(
            DROPS,
            Map.of("relation", relation, "function", Quoted.literal(function + "()"), "but", but));
    return SqlTemplate.fill("DO {block}", Map.of("block", Quoted.dollars("ours", block)));
  }

  /**
   * SQL that drops renamed triggers of this capture, which would log each change a second time.
   * Without such it takes no lock on the table.
   */
  static String dropRenamed(RecorderName recorder, String function, TableName relation) {
    String named =
        EVENTS.stream()
            .map(event -> Quoted.literal(CaptureNames.trigger(recorder, event.getKey())))
            .collect(Collectors.joining(", "));
    return drops(
        function,
        regclass(relation),
        SqlTemplate.fill("\n      AND t.tgname NOT IN ({named})", Map.of("named", named)));
  }

  private static String regclass(TableName relation) {
    return "to_regclass(" + Quoted.literal(relation.quoted()) + ")";
  }

  /** What {@link #disarming} has, for psql. */
  String disarmingScript(TableName relation) {
    StringBuilder script = new StringBuilder();
    script.append("\n-- ").append(Quoted.comment(relation.quoted()));
    script.append(" does not belong to it.\nBEGIN;\n");
    disarming(relation).forEach(statement -> script.append(statement).append(";\n"));
    return script.append("COMMIT;\n").toString();
  }

  private static final String DROPS =
      """
      DECLARE
        ours name;
      BEGIN
        FOR ours IN SELECT t.tgname FROM pg_trigger AS t
            WHERE t.tgrelid = {relation} AND t.tgfoid = to_regprocedure({function}){but} LOOP
          EXECUTE format('DROP TRIGGER %I ON %s', ours, {relation});
        END LOOP;
      END\
      """;

  List<String> create(TableName relation) {
    List<String> statements = new ArrayList<>();
    statements.add(dropRenamed(recorder, function, relation));
    for (Map.Entry<String, String> event : EVENTS) {
      statements.add(
          SqlTemplate.fill(
              TRIGGER,
              Map.of(
                  "trigger", trigger(recorder, event.getKey()),
                  "when", when(event.getKey()),
                  "table", relation.quoted(),
                  "referencing", event.getValue(),
                  "function", function,
                  "argument", purpose.argument)));
    }
    return statements;
  }

  /**
   * Triggers of others, of any table that is truncated with it, may put rows there after a
   * TRUNCATE, and are to come behind ours; and what it removes has to be looked at before, for
   * documents.
   */
  private static String when(String event) {
    String time = event.equals(TRUNCATE) ? "BEFORE" : "AFTER";
    return time + " " + event.toUpperCase(Locale.ROOT);
  }

  /** They are gone, whatever their function is. */
  static List<String> drop(RecorderName recorder, TableName relation) {
    return EVENTS.stream()
        .map(
            event ->
                SqlTemplate.fill(
                    "DROP TRIGGER IF EXISTS {trigger} ON {table}",
                    Map.of(
                        "trigger", trigger(recorder, event.getKey()), "table", relation.quoted())))
        .toList();
  }

  private static String trigger(RecorderName recorder, String event) {
    return Quoted.identifier(CaptureNames.trigger(recorder, event));
  }
}
