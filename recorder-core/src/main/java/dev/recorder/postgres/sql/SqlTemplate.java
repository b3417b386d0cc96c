package dev.recorder.postgres.sql;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * SQL without parameters: definitions, generated scripts and their parts. Pieces in braces are
 * inserted as they are. Unlike {@link Sql}, it does not parse pieces, which may be users' names and
 * expressions, and it also fills quoted text. Names and values must be quoted by {@link Quoted}
 * before they become pieces.
 *
 * <pre>{@code
 * SqlTemplate.fill("GRANT SELECT ON {table} TO {role}", Map.of("table", table, "role", role))
 * }</pre>
 */
public final class SqlTemplate {
  private static final Pattern PIECE = Pattern.compile("\\{(\\w+)}");

  private SqlTemplate() {}

  /**
   * Returns the text with its pieces.
   *
   * @throws IllegalArgumentException if a piece of the text is missing, or a given piece is not in
   *     the text
   */
  public static String fill(String text, Map<String, String> pieces) {
    Set<String> unknown = new HashSet<>(pieces.keySet());
    PIECE.matcher(text).results().forEach(found -> unknown.remove(found.group(1)));
    if (!unknown.isEmpty()) {
      throw new IllegalArgumentException("no place for pieces " + unknown + " in " + text);
    }
    return fillFromShared(text, pieces);
  }

  /**
   * Returns the text with its pieces, from pieces that several texts share: the text need not use
   * all of them.
   *
   * @throws IllegalArgumentException if a piece of the text is missing
   */
  public static String fillFromShared(String text, Map<String, String> pieces) {
    return PIECE
        .matcher(text)
        .replaceAll(found -> Matcher.quoteReplacement(piece(found.group(1), pieces, text)));
  }

  private static String piece(String name, Map<String, String> pieces, String text) {
    String piece = pieces.get(name);
    if (piece == null) {
      throw new IllegalArgumentException("no piece {" + name + "} for " + text);
    }
    return piece;
  }
}
