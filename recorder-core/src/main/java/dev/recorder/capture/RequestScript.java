package dev.recorder.capture;

import dev.recorder.capture.CaptureScript.Section;
import dev.recorder.schema.CaptureTriggers;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The SQL by which changes of a table ask for documents: as {@link CaptureScript}, but that there
 * are no columns to be told of and no statements to be numbered.
 *
 * @param machines the role of all machines
 */
public record RequestScript(
    CaptureNames names, CaptureRule rule, EntitySource source, String machines) {

  /** Each is to be run on its own; without BEGIN and COMMIT. */
  public List<String> statements() {
    return sections().stream().flatMap(section -> section.statements().stream()).toList();
  }

  /** For psql. */
  public String text() {
    return CaptureScript.text(sections());
  }

  private List<Section> sections() {
    return List.of(
        CaptureScript.safely(),
        new Section("Owns the triggers' function, and may do nothing else", CaptureScript.role()),
        new Section("What is captured", CaptureScript.captures(names)),
        new Section(
            "Captures %s for documents of recorder %s"
                .formatted(rule.table().quoted(), rule.recorder()),
            List.of(
                new RequestFunction(names, rule).create(),
                "REVOKE ALL ON FUNCTION " + function() + " FROM PUBLIC")),
        new Section("From here on its writers wait until COMMIT", triggers()),
        new Section(
            "What is captured, for those who ask",
            List.of(CaptureScript.entry(names, rule, List.of(), "''"))),
        new Section("What the function may do", rights()),
        new Section("What it reads to find the entities", source.grants()));
  }

  private static final String TRIGGER =
      """
      CREATE OR REPLACE TRIGGER {trigger} {when} ON {table}{referencing}
        FOR EACH STATEMENT EXECUTE FUNCTION {function}({looks_up})""";

  /** What happens, and what of it the function sees. */
  private static final Map<String, String> EVENTS =
      Map.of(
          "insert", " REFERENCING NEW TABLE AS new_rows",
          "update", " REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows",
          "delete", " REFERENCING OLD TABLE AS old_rows",
          "truncate", "");

  private List<String> triggers() {
    List<String> triggers = new ArrayList<>();
    for (TableName relation : source.relations()) {
      for (String event : List.of("insert", "update", "delete", "truncate")) {
        String time = event.equals("truncate") ? "BEFORE " : "AFTER ";
        triggers.add(
            Filled.in(
                TRIGGER,
                Map.of(
                    "trigger", Quoted.identifier(CaptureNames.trigger(rule.recorder(), event)),
                    "when", time + event.toUpperCase(Locale.ROOT),
                    "table", relation.quoted(),
                    "referencing", EVENTS.getOrDefault(event, ""),
                    "function", names.function(rule),
                    "looks_up", source.looksUp() ? "'" + CaptureTriggers.LOOKS_UP + "'" : "")));
      }
    }
    return triggers;
  }

  /** An owner must be able to create in the schema, but only while it becomes one. */
  private List<String> rights() {
    Map<String, String> pieces =
        Map.of(
            "role", CaptureNames.ROLE,
            "control", names.schemas().control(),
            "handoff", names.schemas().handoff(),
            "table", names.schemas().handoffTable(rule.recorder()),
            "captures", names.captures(),
            "function", function(),
            "machines", Quoted.identifier(machines));
    return Stream.of(
            "GRANT USAGE ON SCHEMA {control}, {handoff} TO {role}",
            "GRANT INSERT (request_type, entity_id) ON {table} TO {role}",
            "GRANT SELECT ON {captures} TO {machines}",
            "GRANT CREATE ON SCHEMA {control} TO {role}",
            "ALTER FUNCTION {function} OWNER TO {role}",
            "REVOKE CREATE ON SCHEMA {control} FROM {role}")
        .map(grant -> Filled.in(grant, pieces))
        .toList();
  }

  private String function() {
    return names.function(rule) + "()";
  }
}
