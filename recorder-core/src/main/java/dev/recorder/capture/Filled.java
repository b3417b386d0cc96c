package dev.recorder.capture;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A text with pieces in braces, each put in as it is: unlike {@code Sql}, it reads nothing in the
 * pieces, which are names and expressions of users.
 */
final class Filled {
  private static final Pattern PIECE = Pattern.compile("\\{([a-z_]+)}");

  private Filled() {}

  /**
   * The text with its pieces.
   *
   * @throws IllegalArgumentException if there is none of a name
   */
  static String in(String text, Map<String, String> pieces) {
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
