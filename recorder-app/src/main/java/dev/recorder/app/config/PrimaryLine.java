package dev.recorder.app.config;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The text of a file with another {@code primary} on one line, and nothing else: blanks, quotes and
 * line ends stay as they are. Pure.
 */
final class PrimaryLine {
  private static final Pattern FORM =
      Pattern.compile("(\\s*primary[ \\t]*=[ \\t]*)([\"']?)(true|false)(\\2[ \\t]*\\r?)");

  private PrimaryLine() {}

  /**
   * The text, changed.
   *
   * @param line of the key, the first being 1
   * @return empty if the line has the key in a form that this does not know
   */
  static Optional<String> set(String text, int line, boolean primary) {
    int start = 0;
    for (int i = 1; i < line; i++) {
      start = text.indexOf('\n', start) + 1;
    }
    int newline = text.indexOf('\n', start);
    int end = newline < 0 ? text.length() : newline;
    Matcher form = FORM.matcher(text.substring(start, end));
    if (!form.matches()) {
      return Optional.empty();
    }
    String changed = form.group(1) + form.group(2) + primary + form.group(4);
    return Optional.of(text.substring(0, start) + changed + text.substring(end));
  }
}
