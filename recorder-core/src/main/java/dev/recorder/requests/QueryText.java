package dev.recorder.requests;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Whether a text that users give as a query can only be one, and be told whose document it is to
 * build: it stands within a statement of ours, and must neither end that nor turn the rest of it
 * into a comment.
 *
 * <p>What it means, the server says.
 */
public final class QueryText {
  /** What stands for the entity's id. */
  public static final String ENTITY = "entity";

  /** What stands in quotes, and casts and names behind a colon. */
  private static final Pattern PART = Pattern.compile("'[^']*'|\"[^\"]*\"|::|:\\w+");

  private final String text;
  private final Deque<Character> open = new ArrayDeque<>();
  private boolean namesEntity;
  private int at;

  private QueryText(String text) {
    this.text = text;
  }

  /** What is wrong with it, to stand behind "it"; empty if nothing is. */
  public static String fault(String text) {
    String first = text.strip().split("[^A-Za-z]", 2)[0].toUpperCase(Locale.ROOT);
    if (!first.equals("SELECT") && !first.equals("WITH")) {
      return "is no query: it begins with neither SELECT nor WITH";
    }
    return new QueryText(text).fault();
  }

  /** The query of no entity, where a statement can have no parameters. */
  public static String ofNone(String text) {
    StringBuilder none = new StringBuilder();
    Matcher part = PART.matcher(text);
    while (part.find()) {
      boolean isId = part.group().equals(":" + ENTITY);
      part.appendReplacement(none, Matcher.quoteReplacement(isId ? "(NULL)" : part.group()));
    }
    return part.appendTail(none).toString();
  }

  private String fault() {
    while (at < text.length()) {
      String fault = next(text.charAt(at));
      if (!fault.isEmpty()) {
        return fault;
      }
      at++;
    }
    if (!open.isEmpty()) {
      return "has a '" + open.peek() + "' that is not closed";
    }
    return namesEntity ? "" : "names no :entity, the id whose document it is to build";
  }

  private String next(char c) {
    switch (c) {
      case '\'', '"' -> {
        return quoted(c);
      }
      case '(', '[' -> open.push(c);
      case ')', ']' -> {
        return closed(c == ')' ? '(' : '[', c);
      }
      case ':' -> {
        return parameter();
      }
      case ';' -> {
        return "has a semicolon: one query is wanted";
      }
      case '$' -> {
        return "has a '$': give texts in single quotes, and the id as :entity";
      }
      case '?' -> {
        return "has a '?': for the operators of jsonb, write jsonb_exists(...) and its like";
      }
      case '{', '}' -> {
        return "has a '" + c + "' that stands in no quotes";
      }
      default -> {
        if (text.startsWith("--", at) || text.startsWith("/*", at)) {
          return "has a comment";
        }
      }
    }
    return "";
  }

  private String closed(char opening, char closing) {
    if (open.isEmpty() || open.pop() != opening) {
      return "has a '" + closing + "' that was not opened";
    }
    return "";
  }

  /** Before a quote it means two things, by the letter that stands before the text. */
  private String quoted(char quote) {
    int end = text.indexOf(quote, at + 1);
    if (end < 0) {
      return "has a quote that is not closed";
    }
    if (text.charAt(end - 1) == '\\') {
      return "has a backslash before a quote";
    }
    at = end;
    return "";
  }

  private String parameter() {
    if (text.startsWith("::", at)) {
      at++;
      return "";
    }
    int end = at + 1;
    while (end < text.length() && isPartOfName(text.charAt(end))) {
      end++;
    }
    String name = text.substring(at + 1, end);
    if (name.isEmpty() || Character.isDigit(name.charAt(0))) {
      return "";
    } else if (!name.equals(ENTITY)) {
      return "has a parameter :" + name + ", and there is only :entity";
    }
    namesEntity = true;
    at = end - 1;
    return "";
  }

  private static boolean isPartOfName(char c) {
    return Character.isLetterOrDigit(c) || c == '_';
  }
}
