package dev.recorder.capture;

import dev.recorder.postgres.sql.Quoted;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Table names in the form of SQL: {@code schema.table}. A part that is not a plain SQL identifier
 * stands in double quotes. Without quotes, ASCII capitals become lower case. The default schema is
 * {@code public}.
 */
public final class TableNames {
  private static final Pattern PLAIN = Pattern.compile("[a-z_][a-z0-9_]*");
  private static final char QUOTE = '"';

  private final String text;
  private int at;

  private TableNames(String text) {
    this.text = text;
  }

  /**
   * Parses a single name.
   *
   * @throws IllegalArgumentException if the text is no name, or more than one
   */
  public static TableName one(String text) {
    List<TableName> names = list(text);
    if (names.size() != 1) {
      throw new IllegalArgumentException(names.size() + " names");
    }
    return names.get(0);
  }

  /**
   * Parses a list of one or more names, separated by commas.
   *
   * @throws IllegalArgumentException if the text is no such list
   */
  public static List<TableName> list(String text) {
    return new TableNames(text).all();
  }

  /** Returns the shortest form that is parsed as this name. */
  public static String written(TableName table) {
    return written(table.schema()) + "." + written(table.name());
  }

  private static String written(String name) {
    return PLAIN.matcher(name).matches() ? name : Quoted.identifier(name);
  }

  private List<TableName> all() {
    List<TableName> names = new ArrayList<>();
    do {
      names.add(name());
    } while (isNext(','));
    if (at < text.length()) {
      throw broken();
    }
    return names;
  }

  private TableName name() {
    String first = part();
    return isNext('.') ? new TableName(first, part()) : new TableName("public", first);
  }

  private String part() {
    skipBlanks();
    String part = at < text.length() && text.charAt(at) == QUOTE ? quoted() : plain();
    if (part.isEmpty()) {
      throw broken();
    }
    return part;
  }

  private String plain() {
    StringBuilder part = new StringBuilder();
    while (at < text.length() && isPlain(text.charAt(at), part.isEmpty())) {
      part.append(small(text.charAt(at)));
      at++;
    }
    return part.toString();
  }

  private String quoted() {
    StringBuilder part = new StringBuilder();
    at++;
    while (at < text.length()) {
      char c = text.charAt(at);
      at++;
      if (c != QUOTE) {
        part.append(c);
      } else if (at < text.length() && text.charAt(at) == QUOTE) {
        part.append(c);
        at++;
      } else {
        return part.toString();
      }
    }
    throw broken();
  }

  /**
   * Follows the server's rule for databases in UTF-8: every non-ASCII character needs no quotes.
   */
  private static boolean isPlain(char c, boolean first) {
    return c == '_'
        || c >= 0x80
        || (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (!first && (c == '$' || (c >= '0' && c <= '9')));
  }

  private static char small(char c) {
    return c >= 'A' && c <= 'Z' ? (char) (c - 'A' + 'a') : c;
  }

  private boolean isNext(char wanted) {
    skipBlanks();
    boolean is = at < text.length() && text.charAt(at) == wanted;
    if (is) {
      at++;
    }
    return is;
  }

  private void skipBlanks() {
    while (at < text.length() && text.charAt(at) == ' ') {
      at++;
    }
  }

  private static IllegalArgumentException broken() {
    return new IllegalArgumentException("no list of names");
  }
}
