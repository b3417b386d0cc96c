package dev.recorder.schema;

import dev.recorder.handoff.ChangeMark;
import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.SqlTemplate;
import dev.recorder.schema.SqlScriptFile.GrantedRight;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The SQL of the control schema: {@code control.sql} in this package, filled with the names of the
 * schemas and of the hosts' role.
 */
record ControlScript(SchemaNames names) {
  /** The sections that are run or read separately. */
  enum ScriptSection {
    SETTINGS("Settings"),
    OWNERS("Owners"),
    ROLES("Roles"),
    TABLES("Tables"),
    RECORDING("Rights to record"),
    CLEARING("Rights to clear"),
    OPERATING("Rights to operate"),
    LOCKING("Rights to lock"),
    PRODUCERS("Rights of producers"),
    QUERIES("Queries of users");

    private final String heading;

    ScriptSection(String heading) {
      this.heading = heading;
    }
  }

  private static final SqlScriptFile SCRIPT = SqlScriptFile.of("control.sql");

  /**
   * Returns the whole script, for an administrator.
   *
   * @param handedOver the recorders whose hand-off tables the same script creates
   */
  String whole(String role, List<RecorderName> handedOver) {
    return filled(SCRIPT.whole(), role, handedOver);
  }

  /** Returns a section that does not name the hosts' role. */
  String part(ScriptSection section) {
    return part(section, "");
  }

  String part(ScriptSection section, String role) {
    return filled(text(section), role, List.of());
  }

  /** Returns the rights that a section grants to the hosts' role. */
  List<GrantedRight> grants(ScriptSection section) {
    return SqlScriptFile.grants(part(section));
  }

  private static String text(ScriptSection section) {
    return SCRIPT.section(section.heading);
  }

  private String filled(String text, String role, List<RecorderName> handedOver) {
    Map<String, String> pieces = new HashMap<>(ActiveRecorders.pieces());
    pieces.put("control", names.control());
    pieces.put("handoff", names.handoff());
    pieces.put(
        "handed_over",
        handedOver.stream().map(RecorderName::value).collect(Collectors.joining(" ")));
    pieces.put("is_other_owner", TrustedOwner.isOther("current_setting('recorder.role')"));
    pieces.put("version", Integer.toString(Schema.VERSION));
    pieces.put("mark", Quoted.literal(ChangeMark.TEXT));
    pieces.put("taken_back", DefaultPrivileges.ofRelations(tables()));
    pieces.put("read_document_taken_back", DefaultPrivileges.ofFunction(readDocument()));
    pieces.put("role", Quoted.identifier(role));
    pieces.put("role_text", Quoted.literal(role));
    return SqlTemplate.fillFromShared(text, pieces);
  }

  private List<String> tables() {
    return relations().stream().map(names::table).toList();
  }

  private String readDocument() {
    return new QueryFunction(names).name() + "(text)";
  }

  private static final Pattern RELATION =
      Pattern.compile("CREATE (?:TABLE|SEQUENCE) IF NOT EXISTS \\{control}\\.(\\w+)");

  /** Returns the unqualified names of all created tables and sequences. */
  static List<String> relations() {
    return RELATION
        .matcher(text(ScriptSection.TABLES))
        .results()
        .map(found -> found.group(1))
        .toList();
  }
}
