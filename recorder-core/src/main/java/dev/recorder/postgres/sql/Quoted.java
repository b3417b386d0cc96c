package dev.recorder.postgres.sql;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Makes foreign names and texts safe for SQL. */
public final class Quoted {
  private Quoted() {}

  /** Quotes a name, even one that needs no quotes, so that no word is read as a keyword. */
  public static String identifier(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }

  /**
   * Quotes a text. The literal has the same meaning whatever the value of {@code
   * standard_conforming_strings}.
   */
  public static String literal(String text) {
    String quoted = "'" + text.replace("'", "''") + "'";
    return text.contains("\\") ? " E" + quoted.replace("\\", "\\\\") : quoted;
  }

  public static String literalOrNull(@Nullable String text) {
    return text == null ? "NULL" : literal(text);
  }

  /** Returns an array of texts as a literal. */
  public static String array(List<String> texts) {
    return literal(
        texts.stream()
            .map(text -> '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"')
            .collect(Collectors.joining(",", "{", "}")));
  }

  /**
   * Quotes a body that may not be escaped, by dollars with this tag. Adds a number to the tag if
   * the text contains it.
   */
  public static String dollars(String tag, String text) {
    String quotes = "$" + tag + "$";
    for (int i = 1; (text + "$").contains(quotes); i++) {
      quotes = "$" + tag + i + "$";
    }
    return quotes + text + quotes;
  }

  /** Returns the text on one line, for a comment after {@code --}. */
  public static String comment(String text) {
    return text.replaceAll("[\\r\\n\\f\\x0B\\u0085\\u2028\\u2029]", " ");
  }
}
