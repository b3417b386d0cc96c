package dev.recorder.sqltext;

import dev.recorder.sqltext.SqlPiece.PieceKind;
import java.util.ArrayList;
import java.util.List;

/**
 * Splits an SQL text into pieces.
 *
 * <p>Comments and dollars are recognised only by their beginning. A backslash in quotes is an
 * ordinary character, although for some servers it hides a quote. Therefore code that embeds
 * foreign texts in statements must reject these pieces.
 */
public final class SqlScanner {
  private final String text;
  private final List<SqlPiece> pieces = new ArrayList<>();

  private SqlScanner(String text) {
    this.text = text;
  }

  /** Returns the pieces in order; joined they are the text. */
  public static List<SqlPiece> pieces(String text) {
    return new SqlScanner(text).scanned();
  }

  private List<SqlPiece> scanned() {
    int at = 0;
    while (at < text.length()) {
      SqlPiece piece = next(at, text.charAt(at));
      pieces.add(piece);
      at += piece.text().length();
    }
    return List.copyOf(pieces);
  }

  private SqlPiece next(int at, char c) {
    return switch (c) {
      case '\'', '"' -> quoted(at, c);
      case '(', '[' -> piece(PieceKind.OPENING, at, 1);
      case ')', ']' -> piece(PieceKind.CLOSING, at, 1);
      case '$' -> piece(PieceKind.DOLLAR, at, 1);
      case ':' -> behindColon(at);
      default ->
          text.startsWith("--", at) || text.startsWith("/*", at)
              ? piece(PieceKind.COMMENT, at, 2)
              : piece(PieceKind.OTHER, at, 1);
    };
  }

  private SqlPiece quoted(int at, char quote) {
    int end = text.indexOf(quote, at + 1);
    return end < 0
        ? piece(PieceKind.UNCLOSED, at, text.length() - at)
        : piece(PieceKind.QUOTED, at, end + 1 - at);
  }

  private SqlPiece behindColon(int at) {
    if (text.startsWith("::", at)) {
      return piece(PieceKind.OTHER, at, 2);
    }
    int end = at + 1;
    while (end < text.length() && isPartOfName(text.charAt(end))) {
      end++;
    }
    boolean isName = end > at + 1 && !Character.isDigit(text.charAt(at + 1));
    return isName ? piece(PieceKind.PARAMETER, at, end - at) : piece(PieceKind.OTHER, at, 1);
  }

  private static boolean isPartOfName(char c) {
    return Character.isLetterOrDigit(c) || c == '_';
  }

  private SqlPiece piece(PieceKind kind, int at, int length) {
    return new SqlPiece(kind, text.substring(at, at + length), at);
  }
}
