package dev.recorder.requests.handlers;

/**
 * Makes text of unknown origin fit for a log, a terminal and a column. PostgreSQL accepts neither
 * NUL nor half a surrogate pair, and a request with such a message could never be settled.
 */
final class PlainText {
  private PlainText() {}

  /** Returns the beginning, up to {@code most} characters, on one line. */
  static String head(String text, int most) {
    String clean = oneLine(text);
    if (clean.length() <= most) {
      return clean;
    }
    int end = Character.isHighSurrogate(clean.charAt(most - 1)) ? most - 1 : most;
    return clean.substring(0, end);
  }

  /** Returns the end, up to {@code most} characters, on one line. */
  static String tail(String text, int most) {
    String clean = oneLine(text);
    if (clean.length() <= most) {
      return clean;
    }
    int start = clean.length() - most;
    return clean.substring(Character.isLowSurrogate(clean.charAt(start)) ? start + 1 : start);
  }

  private static String oneLine(String text) {
    StringBuilder clean = new StringBuilder(text.length());
    text.codePoints().forEach(character -> append(clean, character));
    return clean.toString().strip();
  }

  private static void append(StringBuilder clean, int character) {
    if (!isBlank(character)) {
      clean.appendCodePoint(character);
    } else if (clean.length() > 0 && clean.charAt(clean.length() - 1) != ' ') {
      clean.append(' ');
    }
  }

  /**
   * Whether a character is replaced by a blank. This includes format characters, some of which
   * reverse the direction of text.
   */
  private static boolean isBlank(int character) {
    return switch (Character.getType(character)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.SPACE_SEPARATOR,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          true;
      default -> false;
    };
  }
}
