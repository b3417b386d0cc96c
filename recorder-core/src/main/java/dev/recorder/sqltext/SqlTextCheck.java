package dev.recorder.sqltext;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Function;

/**
 * Checks a text to be embedded in one of our statements: it must neither end its surroundings nor
 * turn the rest into a comment.
 */
public final class SqlTextCheck {
  private final Function<SqlPiece, String> rule;
  private final Deque<Character> open = new ArrayDeque<>();

  private SqlTextCheck(Function<SqlPiece, String> rule) {
    this.rule = rule;
  }

  /**
   * Returns the first fault, as the end of a sentence that begins with "it"; empty if there is
   * none.
   *
   * @param rule returns the fault of a well-formed piece; must refuse dollars, semicolons, and
   *     backslashes in quotes that could hide a quote
   */
  public static String of(String text, Function<SqlPiece, String> rule) {
    return new SqlTextCheck(rule).of(text);
  }

  private String of(String text) {
    for (SqlPiece piece : SqlScanner.pieces(text)) {
      String fault = of(piece);
      if (!fault.isEmpty()) {
        return fault;
      }
    }
    return open.isEmpty() ? "" : "has a '" + open.peek() + "' that is not closed";
  }

  private String of(SqlPiece piece) {
    return switch (piece.kind()) {
      case UNCLOSED -> "has a quote that is not closed";
      case COMMENT -> "has a comment";
      case OPENING -> {
        open.push(piece.text().charAt(0));
        yield rule.apply(piece);
      }
      case CLOSING -> isOpened(piece) ? rule.apply(piece) : unopened(piece);
      case QUOTED, DOLLAR, PARAMETER, OTHER -> rule.apply(piece);
    };
  }

  private boolean isOpened(SqlPiece piece) {
    return !open.isEmpty() && open.pop() == (piece.is(')') ? '(' : '[');
  }

  private static String unopened(SqlPiece piece) {
    return "has a '" + piece.text() + "' that was not opened";
  }
}
