package dev.recorder.postgres.sql;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A text with pieces in braces, each put in as it is: unlike {@code Sql}, it reads nothing in the
 * pieces, which are names and expressions of users.
 */
public final class SqlTemplate {
  private static final Pattern PIECE = Pattern.compile("\\{([a-z_]+)}");

  private SqlTemplate() {}

  /**
   * The text with its pieces.
   *
   * @throws IllegalArgumentException if there is none of a name
   */
  public static String fill(String text, Map<String, String> pieces) {
    return PIECE
        .matcher(text)
        .replaceAll(found -> Matcher.quoteReplacement(piece(found.group(1), pieces)));
  }

  private static String piece(String name, Map<String, String> pieces) {
    String piece = pieces.get(name);
    if (piece == null) {
      throw new IllegalArgumentException("no piece {" + name + "}");
    }
    return piece;
  }
}
