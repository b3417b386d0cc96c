package dev.recorder.app.config.ini;

import java.io.Serial;
import java.util.regex.Pattern;

/**
 * Reads and writes values.
 *
 * <p>Without quotes, a value is the rest of the line. Text that looks like a comment ({@code ;} or
 * {@code #} after a blank) is an error in such a value, since it may be a comment or part of the
 * value. In quotes ({@code "} or {@code '}), the value is everything up to the closing quote,
 * literally. There {@code \"} is a quote, and backslashes directly before a quote are doubled, so
 * that a value may end in one. Nothing may follow the closing quote, not even a comment: otherwise
 * an unescaped quote inside a password would silently cut the password.
 */
public final class IniValue {
  private static final Pattern COMMENT = Pattern.compile("[ \\t][;#]");

  /** Longer than any key needs. Some patterns use stack for each character. */
  private static final int LONGEST = 4_096;

  private IniValue() {}

  /**
   * Reads a value.
   *
   * @param raw the text after the equals sign
   */
  static String parse(String raw) throws BrokenValueException {
    if (raw.length() > LONGEST) {
      throw new BrokenValueException(
          "longer than " + LONGEST + " characters", "write a shorter one");
    }
    String value = IniScanner.trim(raw);
    if (value.startsWith("\"") || value.startsWith("'")) {
      return unquote(value);
    }
    if (COMMENT.matcher(raw).find()) {
      throw new BrokenValueException(
          "a ; or # after a blank in a value without quotes",
          "put a comment on a line of its own, or the value in quotes");
    }
    return value;
  }

  /** Returns the shortest form that {@link #parse} reads back exactly. */
  public static String format(String value) {
    boolean plain =
        !value.isEmpty()
            && value.equals(IniScanner.trim(value))
            && !COMMENT.matcher(" " + value).find()
            && !value.startsWith("\"")
            && !value.startsWith("'");
    return plain ? value : quote(value);
  }

  private static String unquote(String value) throws BrokenValueException {
    char quote = value.charAt(0);
    StringBuilder result = new StringBuilder();
    int at = 1;
    while (at < value.length()) {
      int run = backslashes(value, at);
      at += run;
      if (at == value.length() || value.charAt(at) != quote) {
        result.append("\\".repeat(run));
        if (at < value.length()) {
          result.append(value.charAt(at));
        }
      } else {
        result.append("\\".repeat(run / 2));
        if (run % 2 == 0) {
          return closed(value, at, result);
        }
        result.append(quote);
      }
      at++;
    }
    throw new BrokenValueException(
        "the quote is not closed",
        "close it with %s; a backslash straight before the closing quote is written twice"
            .formatted(quote));
  }

  private static String closed(String value, int at, StringBuilder result)
      throws BrokenValueException {
    if (at + 1 < value.length()) {
      throw new BrokenValueException(
          "text after the closing quote",
          "write \\%s for a quote inside the value, and a comment on a line of its own"
              .formatted(value.charAt(0)));
    }
    return result.toString();
  }

  private static String quote(String value) {
    StringBuilder result = new StringBuilder("\"");
    int at = 0;
    while (at < value.length()) {
      int run = backslashes(value, at);
      at += run;
      boolean beforeQuote = at == value.length() || value.charAt(at) == '"';
      result.append("\\".repeat(beforeQuote ? 2 * run : run));
      if (at < value.length()) {
        result.append(beforeQuote ? "\\\"" : value.charAt(at));
        at++;
      }
    }
    return result.append('"').toString();
  }

  private static int backslashes(String value, int from) {
    int at = from;
    while (at < value.length() && value.charAt(at) == '\\') {
      at++;
    }
    return at - from;
  }

  /** Says why a value is broken. Must not carry the value, which may be a password. */
  static final class BrokenValueException extends Exception {
    @Serial private static final long serialVersionUID = 1L;

    private final String what;
    private final String help;

    BrokenValueException(String what, String help) {
      super(what, null, false, false);
      this.what = what;
      this.help = help;
    }

    String what() {
      return what;
    }

    String help() {
      return help;
    }
  }
}
