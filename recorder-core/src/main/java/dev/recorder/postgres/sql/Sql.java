package dev.recorder.postgres.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A statement's text. Pieces in braces are inserted once. Parameters after a colon are bound by
 * name each time the statement runs.
 *
 * <pre>{@code
 * Sql.in(schemas, "UPDATE {lock_recorders} SET holder = :machine WHERE lock_id = :lock")
 * }</pre>
 *
 * <p>{@code {name}} is the piece of that name, or else the control schema's table of that name.
 * Pieces may contain pieces and parameters. A parameter may occur several times. Quoted text,
 * {@code ::} and {@code :=} are not changed. Text in dollar quotes is parsed like other text.
 * Comments, and slices of arrays by names, are not supported. Immutable.
 */
public final class Sql {
  private final String text;
  private final Map<String, List<Integer>> places;

  private Sql(String text, Map<String, List<Integer>> places) {
    this.text = text;
    this.places = places;
  }

  /** Makes a statement on the recorder's tables. */
  public static Sql in(SchemaNames schemas, String text) {
    return in(schemas, text, Map.of());
  }

  /** Makes a statement on the recorder's tables, with pieces. */
  public static Sql in(SchemaNames schemas, String text, Map<String, String> pieces) {
    return new Template(schemas, pieces).parsed(text);
  }

  /** Makes a statement without the recorder's tables. */
  public static Sql of(String text) {
    return of(text, Map.of());
  }

  /** Makes a statement without the recorder's tables, with pieces. */
  public static Sql of(String text, Map<String, String> pieces) {
    return new Template(null, pieces).parsed(text);
  }

  /** Prepares the statement, which the caller closes. */
  public SqlStatement on(Connection connection) throws SQLException {
    return new SqlStatement(connection.prepareStatement(text), this);
  }

  /** Returns the text as sent, with a question mark for each occurrence of a parameter. */
  public String text() {
    return text;
  }

  /**
   * Returns the positions of a parameter, from 1.
   *
   * @throws IllegalArgumentException if there is no such parameter
   */
  List<Integer> places(String parameter) {
    List<Integer> found = places.get(parameter);
    if (found == null) {
      throw new IllegalArgumentException("no parameter :" + parameter + " in " + text);
    }
    return found;
  }

  Iterable<String> parameters() {
    return places.keySet();
  }

  @Override
  public String toString() {
    return text;
  }

  private static final class Template {
    private final @Nullable SchemaNames schemas;
    private final Map<String, String> pieces;
    private final StringBuilder sent = new StringBuilder();
    private final Map<String, List<Integer>> places = new LinkedHashMap<>();
    private int parameters;

    Template(@Nullable SchemaNames schemas, Map<String, String> pieces) {
      this.schemas = schemas;
      this.pieces = pieces;
    }

    Sql parsed(String text) {
      read(text);
      return new Sql(sent.toString().strip(), places);
    }

    private void read(String text) {
      int at = 0;
      while (at < text.length()) {
        char c = text.charAt(at);
        int end = at + 1;
        if (c == '\'' || c == '"') {
          end = behind(text, c, at + 1);
          sent.append(text, at, end);
        } else if (c == '{') {
          end = behind(text, '}', at);
          read(piece(text.substring(at + 1, end - 1)));
        } else if (c == ':' && isAt(text, end, ':')) {
          end++;
          sent.append("::");
        } else if (c == ':' && end < text.length() && isLetter(text.charAt(end))) {
          while (end < text.length() && isPartOfName(text.charAt(end))) {
            end++;
          }
          places
              .computeIfAbsent(text.substring(at + 1, end), name -> new ArrayList<>())
              .add(++parameters);
          sent.append('?');
        } else if (c == '?') {
          throw new IllegalArgumentException("a parameter without a name in " + text);
        } else {
          sent.append(c);
        }
        at = end;
      }
    }

    private String piece(String name) {
      String piece = pieces.get(name);
      if (piece != null) {
        return piece;
      } else if (schemas == null) {
        throw new IllegalArgumentException("no piece {" + name + "}");
      }
      return schemas.table(name);
    }

    private static int behind(String text, char closing, int from) {
      int at = text.indexOf(closing, from);
      if (at < 0) {
        throw new IllegalArgumentException("no closing " + closing + " in " + text);
      }
      return at + 1;
    }

    private static boolean isAt(String text, int at, char c) {
      return at < text.length() && text.charAt(at) == c;
    }

    private static boolean isLetter(char c) {
      return Character.isLetter(c) || c == '_';
    }

    private static boolean isPartOfName(char c) {
      return isLetter(c) || Character.isDigit(c);
    }
  }
}
