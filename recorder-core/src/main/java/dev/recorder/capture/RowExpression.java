package dev.recorder.capture;

import dev.recorder.sqltext.SqlPiece;
import dev.recorder.sqltext.SqlTextCheck;

/**
 * Whether a text that users give as an SQL expression can only be that: it is put into statements
 * as it is, and must neither end the one it stands in nor turn the rest of it into a comment.
 *
 * <p>What it means, the server says.
 */
public final class RowExpression {
  private RowExpression() {}

  /** What is wrong with it, to stand behind "it"; empty if nothing is. */
  public static String fault(String text) {
    return text.isBlank() ? "is empty" : SqlTextCheck.of(text, RowExpression::fault);
  }

  private static String fault(SqlPiece piece) {
    return switch (piece.kind()) {
      // It means two things to servers with different settings, so it means none here.
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
