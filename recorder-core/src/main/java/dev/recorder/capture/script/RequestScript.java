package dev.recorder.capture.script;

import dev.recorder.capture.CaptureNames;
import dev.recorder.capture.CaptureRule;
import dev.recorder.capture.EntitySource;
import dev.recorder.capture.PinnedColumns;
import dev.recorder.capture.PinnedRelation;
import dev.recorder.capture.script.CaptureScript.Section;
import dev.recorder.capture.script.CaptureTriggers.Purpose;
import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.SqlTemplate;
import dev.recorder.schema.DefaultPrivileges;
import dev.recorder.schema.QueryFunction;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The SQL that makes changes of a table request documents. Unlike {@link CaptureScript}, it writes
 * no {@code schema} rows and numbers no statements.
 *
 * @param machines the database role of all hosts
 */
public record RequestScript(
    CaptureNames names,
    CaptureRule rule,
    PinnedRelation relation,
    EntitySource source,
    String machines)
    implements TableScript {

  @Override
  public List<String> statements() {
    return sections().stream().flatMap(section -> section.statements().stream()).toList();
  }

  @Override
  public CaptureTriggers triggers() {
    return new CaptureTriggers(
        rule.recorder(), names.function(rule), Purpose.ofEntities(source.looksUp()));
  }

  @Override
  public String text() {
    return CaptureScript.text(sections(), this);
  }

  private List<Section> sections() {
    return List.of(
        CaptureScript.safely(),
        new Section("Owns the triggers' function, and may do nothing else", CaptureScript.role()),
        new Section(
            "Evaluates what says whose documents a row belongs to, and may do nothing else",
            reader()),
        new Section("What is captured", CaptureScript.captures(names)),
        new Section(
            "Captures %s for documents of recorder %s"
                .formatted(rule.table().quoted(), rule.recorder()),
            List.of(
                new RequestFunction(names, rule, relation.oid(), source).create(),
                DefaultPrivileges.ofFunction(function()))),
        new Section("From here on its writers wait until COMMIT", CaptureScript.arming(this)),
        new Section(
            "What is captured, for those who ask",
            CaptureScript.begun(
                this,
                CaptureEntry.sql(
                    this,
                    "NULL",
                    PinnedColumns.all(relation.oid()),
                    List.of(),
                    List.of(),
                    source.called(),
                    0),
                List.of(CaptureScript.nothingDetached(this)))),
        new Section("What the function may do", rights()),
        new Section("What it reads to find the entities", source.grants()));
  }

  private List<String> reader() {
    return Stream.of(
            CaptureScript.role(QueryFunction.READERS),
            new EntityFunction(names, rule, source).create())
        .flatMap(List::stream)
        .toList();
  }

  /** A role needs CREATE on the schema to become a function's owner, but not afterwards. */
  private List<String> rights() {
    Map<String, String> pieces =
        Map.of(
            "role", CaptureNames.ROLE,
            "control", names.schemas().control(),
            "handoff", names.schemas().handoff(),
            "table", names.schemas().handoffTable(rule.recorder()),
            "captures", names.captures(),
            "told", names.toldColumns(),
            "detached", names.detachedChanges(),
            "snapshots", names.snapshots(),
            "function", function(),
            "machines", Quoted.identifier(machines));
    return Stream.of(
            "GRANT USAGE ON SCHEMA {control}, {handoff} TO {role}",
            "GRANT SELECT, INSERT ON {detached} TO {role}",
            "GRANT INSERT (request_type, entity_id) ON {table} TO {role}",
            "GRANT SELECT ON {captures}, {told}, {detached}, {snapshots} TO {machines}",
            StaleMark.RIGHT,
            "GRANT CREATE ON SCHEMA {control} TO {role}",
            "ALTER FUNCTION {function} OWNER TO {role}",
            "REVOKE CREATE ON SCHEMA {control} FROM {role}")
        .map(grant -> SqlTemplate.fillFromShared(grant, pieces))
        .toList();
  }

  private String function() {
    return names.function(rule) + "()";
  }
}
