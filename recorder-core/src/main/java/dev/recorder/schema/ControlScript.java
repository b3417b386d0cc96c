package dev.recorder.schema;

import dev.recorder.handoff.ChangeMark;
import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.SqlTemplate;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The SQL of the control schema: {@code control.sql} beside this class, in which everything stands
 * once, with the names of the schemas and of the hosts' role put in. Its sections have headings, by
 * which parts of it are run alone.
 */
record ControlScript(SchemaNames names) {
  /** The parts that are run, or read, alone. */
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

  private static final Pattern HEADING = Pattern.compile("(?m)^-- # (.*)\n");
  private static final String TEXT = resource();
  private static final Map<String, String> BY_HEADING = sections();

  private static String resource() {
    try (InputStream in = ControlScript.class.getResourceAsStream("control.sql")) {
      if (in == null) {
        throw new IllegalStateException("control.sql is not on the class path");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Map<String, String> sections() {
    Map<String, String> found = new LinkedHashMap<>();
    Matcher heading = HEADING.matcher(TEXT);
    String open = "";
    int from = 0;
    while (heading.find()) {
      found.put(open, TEXT.substring(from, heading.start()));
      open = heading.group(1);
      from = heading.end();
    }
    found.put(open, TEXT.substring(from));
    return found;
  }

  /** All of it, for an administrator. */
  String whole(String role) {
    return filled(TEXT, role);
  }

  /** One section of it that does not name the hosts' role. */
  String part(ScriptSection section) {
    return part(section, "");
  }

  String part(ScriptSection section, String role) {
    return filled(text(section), role);
  }

  private static String text(ScriptSection section) {
    String text = BY_HEADING.get(section.heading);
    if (text == null) {
      throw new IllegalStateException("control.sql has no section " + section.heading);
    }
    return text;
  }

  private String filled(String text, String role) {
    Map<String, String> pieces = new HashMap<>(Incumbents.pieces());
    pieces.put("control", names.control());
    pieces.put("handoff", names.handoff());
    pieces.put("version", Integer.toString(Schema.VERSION));
    pieces.put("mark", Quoted.literal(ChangeMark.TEXT));
    pieces.put("role", Quoted.identifier(role));
    pieces.put("role_text", Quoted.literal(role));
    return SqlTemplate.fillFromShared(text, pieces);
  }

  private static final Pattern RELATION =
      Pattern.compile("CREATE (?:TABLE|SEQUENCE) IF NOT EXISTS \\{control}\\.(\\w+)");

  /** Names, without the schema's, of all tables and sequences that are created. */
  static List<String> relations() {
    return RELATION
        .matcher(text(ScriptSection.TABLES))
        .results()
        .map(found -> found.group(1))
        .toList();
  }

  /**
   * One privilege of the hosts' role.
   *
   * @param schema the piece that names it
   * @param relation empty for a privilege on the schema
   */
  record GrantedRight(String schema, String relation, String privilege) {}

  private static final Pattern GRANT =
      Pattern.compile("(?s)GRANT (.*?)\\s+ON (?:SCHEMA |SEQUENCE )?(.*?) TO \\{role};");

  /** Commas within brackets stand between columns. */
  private static final Pattern BETWEEN_PRIVILEGES = Pattern.compile(",\\s+(?![^(]*\\))");

  private static final Pattern OBJECT = Pattern.compile("\\{(\\w+)}(?:\\.(\\w+))?");

  /** What a section of rights gives to the hosts' role. */
  static List<GrantedRight> grants(ScriptSection section) {
    List<GrantedRight> grants = new ArrayList<>();
    Matcher grant = GRANT.matcher(text(section));
    while (grant.find()) {
      Matcher object = OBJECT.matcher(grant.group(2));
      while (object.find()) {
        for (String privilege : BETWEEN_PRIVILEGES.split(grant.group(1))) {
          String relation = object.group(2) == null ? "" : object.group(2);
          grants.add(
              new GrantedRight(object.group(1), relation, privilege.replaceAll("\\s+", " ")));
        }
      }
    }
    return grants;
  }
}
