package dev.recorder.capture;

import dev.recorder.sqltext.SqlPiece;
import dev.recorder.sqltext.SqlTextCheck;

/**
 * Checks that a user's text can only be a single SQL expression. The text is put into statements
 * unchanged, so it must not end a statement or turn the rest of the statement into a comment.
 *
 * <p>Whether the expression is valid is left to the server.
 */
public final class RowExpression {
  private RowExpression() {}

  /** Returns the fault of a text, worded to follow "it"; empty if there is none. */
  public static String fault(String text) {
    return text.isBlank() ? "is empty" : SqlTextCheck.of(text, RowExpression::fault);
  }

  private static String fault(SqlPiece piece) {
    return switch (piece.kind()) {
      // Its meaning depends on the server's standard_conforming_strings, so it is refused.
      case QUOTED -> piece.inner().contains("\\") ? "has a backslash between quotes" : "";
      case DOLLAR -> "has a '$': give texts in single quotes";
      default -> ofCharacter(piece);
    };
  }

  private static String ofCharacter(SqlPiece piece) {
    return switch (piece.text()) {
      case ";" -> "has a semicolon: one expression is wanted";
      case "\0" -> "has a character that no SQL can have";
      default -> "";
    };
  }
}
