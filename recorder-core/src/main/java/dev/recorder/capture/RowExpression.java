package dev.recorder.capture;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Whether a text that users give as an SQL expression can only be that: it is put into statements
 * as it is, and must neither end the one it stands in nor turn the rest of it into a comment.
 *
 * <p>What it means, the server says.
 */
public final class RowExpression {
  private final String text;
  private final Deque<Character> open = new ArrayDeque<>();
  private int at;

  private RowExpression(String text) {
    this.text = text;
  }

  /** What is wrong with it, to stand behind "it"; empty if nothing is. */
  public static String fault(String text) {
    return text.isBlank() ? "is empty" : new RowExpression(text).fault();
  }

  private String fault() {
    while (at < text.length()) {
      String fault = next(text.charAt(at));
      if (!fault.isEmpty()) {
        return fault;
      }
      at++;
    }
    return open.isEmpty() ? "" : "has a '" + open.peek() + "' that is not closed";
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
      case ';' -> {
        return "has a semicolon: one expression is wanted";
      }
      case '$' -> {
        return "has a '$': give texts in single quotes";
      }
      case '\0' -> {
        return "has a character that no SQL can have";
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

  /** A backslash means two things to servers with different settings, so it means none here. */
  private String quoted(char quote) {
    int end = text.indexOf(quote, at + 1);
    if (end < 0) {
      return "has a quote that is not closed";
    }
    if (text.substring(at, end).contains("\\")) {
      return "has a backslash between quotes";
    }
    at = end;
    return "";
  }
}
