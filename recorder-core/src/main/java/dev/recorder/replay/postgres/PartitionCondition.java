package dev.recorder.replay.postgres;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the condition by which a truncated partition's rows are told, which stands in the log as
 * SQL: it is run only if it compares columns with constants. Whoever may insert into the log's
 * table could otherwise have anything called in the target, with the rights of whoever replays.
 * Pure; one use.
 */
final class PartitionCondition {
  private static final Pattern TOKEN =
      Pattern.compile(
          "\\s*(?:(?<text>'(?:[^'\\\\]|'')*')|(?<name>[A-Za-z_]\\w*|\"(?:[^\"]|\"\")+\")"
              + "|(?<number>-?\\d[\\d.]*)|(?<sign>::|[<>=]+|[()\\[\\],.]))\\s*");

  private static final Set<String> WORDS =
      Set.of("and", "or", "not", "is", "null", "any", "array", "in", "true", "false");
  private static final Set<String> MORE_OF_A_TYPE =
      Set.of("varying", "precision", "without", "with", "time", "zone");
  private static final Pattern MODIFIER = Pattern.compile("[\\d\\s,-]+\\)\\s*");

  /** What stands before the next token. */
  private enum TokenBefore {
    COLUMN,
    CAST,
    TYPE,
    OTHER
  }

  private final String condition;
  private final Set<String> columns;
  private TokenBefore before = TokenBefore.OTHER;
  private int depth;
  private int at;

  PartitionCondition(String condition, Set<String> columns) {
    this.condition = condition;
    this.columns = columns;
  }

  /** Whether it only compares these columns with constants. */
  boolean isPlain() {
    Matcher token = TOKEN.matcher(condition);
    while (at < condition.length()) {
      token.region(at, condition.length());
      if (!token.lookingAt()) {
        return false;
      }
      at = token.end();
      String name = token.group("name");
      String sign = token.group("sign");
      boolean fits = name != null ? takeName(name) : sign != null ? takeSign(sign) : takeConstant();
      if (!fits) {
        return false;
      }
    }
    return depth == 0 && before != TokenBefore.CAST && !condition.isBlank();
  }

  private boolean takeConstant() {
    boolean fits = before == TokenBefore.OTHER;
    before = TokenBefore.OTHER;
    return fits;
  }

  private boolean takeName(String name) {
    String word = name.toLowerCase(Locale.ROOT);
    if (before == TokenBefore.CAST) {
      before = TokenBefore.TYPE;
    } else if (before == TokenBefore.TYPE && MORE_OF_A_TYPE.contains(word)) {
      before = TokenBefore.TYPE;
    } else if (WORDS.contains(word)) {
      before = TokenBefore.OTHER;
    } else {
      before = TokenBefore.COLUMN;
      return columns.contains(unquoted(name));
    }
    return true;
  }

  private static String unquoted(String name) {
    return name.startsWith("\"")
        ? name.substring(1, name.length() - 1).replace("\"\"", "\"")
        : name;
  }

  private boolean takeSign(String sign) {
    switch (sign) {
      case "::" -> before = TokenBefore.CAST;
      case "." -> {
        boolean inName = before == TokenBefore.TYPE;
        before = TokenBefore.CAST;
        return inName;
      }
      case "(" -> {
        return open();
      }
      case ")" -> {
        depth--;
        before = TokenBefore.OTHER;
      }
      case "[", "]" -> before = before == TokenBefore.TYPE ? TokenBefore.TYPE : TokenBefore.OTHER;
      default -> before = TokenBefore.OTHER;
    }
    return depth >= 0;
  }

  /** Nothing is called: behind a column stands no parenthesis, behind a type only its modifier. */
  private boolean open() {
    if (before == TokenBefore.TYPE) {
      Matcher modifier = MODIFIER.matcher(condition).region(at, condition.length());
      boolean fits = modifier.lookingAt();
      at = fits ? modifier.end() : at;
      return fits;
    }
    depth++;
    boolean fits = before == TokenBefore.OTHER;
    before = TokenBefore.OTHER;
    return fits;
  }
}
