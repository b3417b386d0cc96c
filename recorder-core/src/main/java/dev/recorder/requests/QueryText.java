package dev.recorder.requests;

import dev.recorder.sqltext.SqlPiece;
import dev.recorder.sqltext.SqlPiece.PieceKind;
import dev.recorder.sqltext.SqlScanner;
import dev.recorder.sqltext.SqlTextCheck;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Checks that a user's text is a single query with a parameter for the entity. The text becomes
 * part of our own statements, so it must neither end them nor comment out their rest.
 *
 * <p>The server checks the query's meaning.
 */
public final class QueryText {
  /** The name of the parameter for the entity's id. */
  public static final String ENTITY = "entity";

  private QueryText() {}

  /** Returns the fault, to follow the word "it"; empty if there is none. */
  public static String fault(String text) {
    String first = text.strip().split("[^A-Za-z]", 2)[0].toUpperCase(Locale.ROOT);
    if (!first.equals("SELECT") && !first.equals("WITH")) {
      return "is no query: it begins with neither SELECT nor WITH";
    }
    String fault = SqlTextCheck.of(text, QueryText::fault);
    if (!fault.isEmpty() || SqlScanner.pieces(text).stream().anyMatch(QueryText::isId)) {
      return fault;
    }
    return "names no :entity, the id whose document it is to build";
  }

  /** Returns the query with NULL as the entity's id. */
  public static String ofNone(String text) {
    return of(text, "NULL");
  }

  /**
   * Returns the query for an entity, as a statement without parameters.
   *
   * @param entity the id as an SQL expression
   */
  public static String of(String text, String entity) {
    return SqlScanner.pieces(text).stream()
        .map(piece -> isId(piece) ? "(" + entity + ")" : piece.text())
        .collect(Collectors.joining());
  }

  private static boolean isId(SqlPiece piece) {
    return piece.kind() == PieceKind.PARAMETER && piece.text().equals(":" + ENTITY);
  }

  private static String fault(SqlPiece piece) {
    return switch (piece.kind()) {
      // The meaning of a backslash before a quote depends on the prefix of the quoted text.
      case QUOTED -> piece.inner().endsWith("\\") ? "has a backslash before a quote" : "";
      case DOLLAR -> "has a '$': give texts in single quotes, and the id as :entity";
      case PARAMETER ->
          isId(piece) ? "" : "has a parameter " + piece.text() + ", and there is only :entity";
      default -> ofCharacter(piece);
    };
  }

  private static String ofCharacter(SqlPiece piece) {
    return switch (piece.text()) {
      case ";" -> "has a semicolon: one query is wanted";
      case "?" -> "has a '?': for the operators of jsonb, write jsonb_exists(...) and its like";
      case "{", "}" -> "has a '" + piece.text() + "' that stands in no quotes";
      default -> "";
    };
  }
}
