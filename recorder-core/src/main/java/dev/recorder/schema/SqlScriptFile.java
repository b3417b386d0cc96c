package dev.recorder.schema;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An SQL file in this package with placeholders for names. It has sections with headings, which can
 * be run or read separately.
 */
record SqlScriptFile(String whole, Map<String, String> sections) {
  private static final Pattern HEADING = Pattern.compile("(?m)^-- # (.*)\n");

  static SqlScriptFile of(String file) {
    try (InputStream in = SqlScriptFile.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalStateException(file + " is not on the class path");
      }
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return new SqlScriptFile(text, sections(text));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Map<String, String> sections(String text) {
    Map<String, String> found = new LinkedHashMap<>();
    Matcher heading = HEADING.matcher(text);
    String open = "";
    int from = 0;
    while (heading.find()) {
      found.put(open, text.substring(from, heading.start()));
      open = heading.group(1);
      from = heading.end();
    }
    found.put(open, text.substring(from));
    return found;
  }

  String section(String heading) {
    String text = sections.get(heading);
    if (text == null) {
      throw new IllegalStateException("there is no section " + heading);
    }
    return text;
  }

  private static final Pattern COMMENT = Pattern.compile("(?m)^ *--.*\\n");

  /** Removes the file's comments; called before foreign names are filled in. */
  static String withoutComments(String sql) {
    return COMMENT.matcher(sql).replaceAll("").strip() + "\n";
  }

  /**
   * One privilege of the hosts' role.
   *
   * @param relation empty for a privilege on the schema
   */
  record GrantedRight(String schema, String relation, String privilege) {}

  private static final Pattern GRANT =
      Pattern.compile("(?s)GRANT (.*?)\\s+ON (?:SCHEMA |SEQUENCE )?(.*?) TO \"\";");

  /** Commas within parentheses separate columns. */
  private static final Pattern BETWEEN_PRIVILEGES = Pattern.compile(",\\s+(?![^(]*\\))");

  private static final Pattern OBJECT = Pattern.compile("(\\w+)(?:\\.(\\w+))?");

  /** Returns the grants to the hosts' role, for which an empty name was filled in. */
  static List<GrantedRight> grants(String sql) {
    List<GrantedRight> grants = new ArrayList<>();
    Matcher grant = GRANT.matcher(sql);
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
