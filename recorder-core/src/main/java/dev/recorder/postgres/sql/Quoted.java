package dev.recorder.postgres.sql;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Names and texts of others, made safe to stand in SQL. */
public final class Quoted {
  private Quoted() {}

  /** Always in quotes, so that no word is taken for one of SQL's own. */
  public static String identifier(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }

  /** Means the same whatever {@code standard_conforming_strings} is. */
  public static String literal(String text) {
    String quoted = "'" + text.replace("'", "''") + "'";
    return text.contains("\\") ? " E" + quoted.replace("\\", "\\\\") : quoted;
  }

  public static String literalOrNull(@Nullable String text) {
    return text == null ? "NULL" : literal(text);
  }

  /** An array of texts as a literal of it. */
  public static String array(List<String> texts) {
    return literal(
        texts.stream()
            .map(text -> '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"')
            .collect(Collectors.joining(",", "{", "}")));
  }

  /**
   * Between dollars, with this tag, and a number if the text has it; as a literal, except for its
   * escapes.
   */
  public static String dollars(String tag, String text) {
    String quotes = "$" + tag + "$";
    for (int i = 1; (text + "$").contains(quotes); i++) {
      quotes = "$" + tag + i + "$";
    }
    return quotes + text + quotes;
  }

  /** On one line, to stand behind {@code --}. */
  public static String comment(String text) {
    return text.replaceAll("[\\r\\n\\f\\x0B\\u0085\\u2028\\u2029]", " ");
  }
}
