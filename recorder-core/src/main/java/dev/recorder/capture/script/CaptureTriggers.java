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
 * The triggers of a captured table or of a table below it. All call the function of the captured
 * table. Each has one event, since a trigger with transition tables can have only one.
 *
 * @param function the function's name with its schema
 */
public record CaptureTriggers(RecorderName recorder, String function, Purpose purpose) {
  /** The rows that the function writes for a change. */
  public enum Purpose {
    /** A row of a log. */
    CHANGES(""),
    /** Requests for documents. */
    ENTITIES(""),
    /** Requests for documents of entities that are found in other rows. */
    ENTITIES_LOOKED_UP(Quoted.literal(LOOKS_UP));

    private final String argument;

    /**
     * Returns the purpose of a capture for documents.
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

  /** Prevents calls of others' functions in schema public, and limits the wait for locks. */
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

  /**
   * Returns the statements of one transaction that arms a relation. The relation is locked against
   * writers from the first statement to the end of the transaction.
   */
  public List<String> arming(TableName relation) {
    List<String> statements = new ArrayList<>(PRUDENCE);
    statements.addAll(create(relation));
    return statements;
  }

  /** Returns the GRANT that lets the role that evaluates {@code --entity} read a relation. */
  public static String grant(TableName relation) {
    return SqlTemplate.fill(
        "GRANT SELECT ON {table} TO {role}",
        Map.of("table", relation.quoted(), "role", QueryFunction.READERS));
  }

  /** Returns the GRANT that lets this role use the relation's schema. */
  public static String grantSchema(TableName relation) {
    return SqlTemplate.fill(
        "GRANT USAGE ON SCHEMA {schema} TO {role}",
        Map.of("schema", relation.quotedSchema(), "role", QueryFunction.READERS));
  }

  /** Returns the statements of {@link #arming}, for psql. */
  public String script(TableName relation) {
    StringBuilder script = new StringBuilder();
    script.append("\n-- Also when ").append(Quoted.comment(relation.quoted()));
    script.append(" is written to itself.\nBEGIN;\n");
    arming(relation).forEach(statement -> script.append(statement).append(";\n"));
    return script.append("COMMIT;\n").toString();
  }

  /**
   * Returns the statements of one transaction that drops the capture's triggers from a relation
   * that does not belong to the capture.
   */
  public List<String> disarming(TableName relation) {
    return disarming(function, regclass(relation));
  }

  /**
   * Returns the statements that drop all triggers with a function from a relation.
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
   * Returns SQL that drops renamed triggers of this capture, which would log each change a second
   * time. If there are none, the table is not locked.
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

  /** Returns the statements of {@link #disarming}, for psql. */
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
   * Triggers of TRUNCATE fire before it. Other triggers, of any table truncated by the same
   * statement, may insert rows after the TRUNCATE and must come later. For documents, the rows must
   * be read before they are removed.
   */
  private static String when(String event) {
    String time = event.equals(TRUNCATE) ? "BEFORE" : "AFTER";
    return time + " " + event.toUpperCase(Locale.ROOT);
  }

  /** Returns statements that drop the capture's triggers by name, whatever function they call. */
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
