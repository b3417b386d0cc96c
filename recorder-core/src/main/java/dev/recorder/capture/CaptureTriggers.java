package dev.recorder.capture;

import dev.recorder.handoff.RecorderName;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The triggers of one relation, a captured table or one below it, which all have the function of
 * the captured table: one event each, since transition tables allow no more.
 *
 * @param function with its schema
 */
public record CaptureTriggers(RecorderName recorder, String function) {
  /** Nothing of others in schema public is called; nobody waits longer behind a request for one. */
  static final List<String> PRUDENCE =
      List.of(
          "SET LOCAL search_path = pg_catalog, pg_temp",
          "SET LOCAL lock_timeout = '" + CaptureScript.LOCK_TIMEOUT + "'");

  private static final String TRIGGER =
      """
      CREATE OR REPLACE TRIGGER {trigger} AFTER {event} ON {table}{referencing}
        FOR EACH STATEMENT EXECUTE FUNCTION {function}()""";

  private static final List<Map.Entry<String, String>> EVENTS =
      List.of(
          Map.entry("insert", " REFERENCING NEW TABLE AS new_rows"),
          Map.entry("update", " REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows"),
          Map.entry("delete", " REFERENCING OLD TABLE AS old_rows"),
          Map.entry("truncate", ""));

  /**
   * Those of a captured table that is set up already.
   *
   * @param function without its schema
   */
  public static CaptureTriggers of(CaptureNames names, RecorderName recorder, String function) {
    return new CaptureTriggers(recorder, names.schemas().table(function));
  }

  /** For one transaction: the relation is locked against writers from the first to its end. */
  public List<String> arming(TableName relation) {
    List<String> statements = new ArrayList<>(PRUDENCE);
    statements.addAll(create(relation));
    return statements;
  }

  /** The same for psql. */
  public String script(TableName relation) {
    StringBuilder script = new StringBuilder();
    script.append("\n-- Also when ").append(Quoted.comment(relation.quoted()));
    script.append(" is written to itself.\nBEGIN;\n");
    arming(relation).forEach(statement -> script.append(statement).append(";\n"));
    return script.append("COMMIT;\n").toString();
  }

  List<String> create(TableName relation) {
    return EVENTS.stream()
        .map(
            event ->
                Filled.in(
                    TRIGGER,
                    Map.of(
                        "trigger", trigger(event.getKey()),
                        "event", event.getKey().toUpperCase(Locale.ROOT),
                        "table", relation.quoted(),
                        "referencing", event.getValue(),
                        "function", function)))
        .toList();
  }

  List<String> drop(TableName relation) {
    return EVENTS.stream()
        .map(
            event ->
                "DROP TRIGGER IF EXISTS %s ON %s"
                    .formatted(trigger(event.getKey()), relation.quoted()))
        .toList();
  }

  private String trigger(String event) {
    return Quoted.identifier(CaptureNames.trigger(recorder, event));
  }
}
