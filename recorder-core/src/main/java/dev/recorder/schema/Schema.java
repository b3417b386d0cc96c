package dev.recorder.schema;

import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.schema.ControlScript.ScriptSection;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The SQL that creates all objects of the recorder, in order. Every statement may be run again.
 *
 * <p>Version {@value #VERSION}; {@code schema_info} holds the version of the database.
 */
public final class Schema {
  public static final int VERSION = 1;

  /** The group role of producers. */
  public static final String PRODUCERS = "recorder_producer";

  /** The role that owns the functions that capture changes of tables; it has no other rights. */
  public static final String CAPTURE = "recorder_capture";

  /** The same statement as at the beginning of {@code control.sql}. */
  private static final String PINNED = "SET LOCAL search_path = pg_catalog, pg_temp";

  private final SchemaNames names;
  private final ControlScript control;

  public Schema(SchemaNames names) {
    this.names = names;
    this.control = new ControlScript(names);
  }

  /**
   * Returns the whole script for an administrator to run in psql, any number of times.
   *
   * @param role the one role of all hosts
   */
  public String script(String role, List<HandoffTable> handoff) {
    StringBuilder script =
        new StringBuilder(
            control.whole(role, handoff.stream().map(HandoffTable::recorder).toList()));
    handoff.forEach(table -> create(script, table, role));
    return script.toString();
  }

  /**
   * Adds a transaction for each table, so that a wait for one table does not hold locks on others.
   */
  private void create(StringBuilder script, HandoffTable table, String role) {
    HandoffScript sql = table.script(names);
    script.append("\n-- Rows for recorder ").append(table.recorder()).append(".\nBEGIN;\n");
    script.append(settings()).append(table.create(names));
    script.append("-- Who reads and who writes rows of ").append(table.recorder()).append(".\n");
    script.append(sql.grants(role)).append(sql.grantsToProducers());
    script.append("COMMIT;\n");
  }

  /** Returns statements for an administrator or a table's owner to run in psql. */
  public static String toRun(List<String> statements) {
    return Stream.of(List.of("BEGIN", PINNED), statements, List.of("COMMIT"))
        .flatMap(List::stream)
        .collect(Collectors.joining(";\n", "", ";"));
  }

  private String settings() {
    return SqlScriptFile.withoutComments(control.part(ScriptSection.SETTINGS));
  }

  /**
   * Returns the statements that create the roles, for a role that may do so, to be sent together.
   */
  public String roles(String role) {
    return settings()
        + control.part(ScriptSection.OWNERS, role)
        + control.part(ScriptSection.ROLES, role);
  }

  /**
   * Returns the statements that create the schemas, and tables and functions of the control schema,
   * to be sent together.
   */
  public String control() {
    return settings() + control.part(ScriptSection.OWNERS) + control.part(ScriptSection.TABLES);
  }

  /**
   * Returns the statements that grant producers rights on the control schema, to be sent together.
   */
  public String producers() {
    return control.part(ScriptSection.PRODUCERS);
  }

  public String producerGrants(HandoffTable table) {
    return table.script(names).grantsToProducers();
  }
}
