package dev.recorder.app.cli.output;

/**
 * Escapes text of unknown origin for people: control characters in a name must neither reach the
 * terminal nor start a line. JSON has its own escapes.
 */
public final class EscapedText {
  private EscapedText() {}

  /** Returns the escaped text on one line. */
  public static String of(String text) {
    return escaped(text, false);
  }

  /** Returns the escaped text with its line breaks. */
  public static String lines(String text) {
    return escaped(text, true);
  }

  private static String escaped(String text, boolean keepsLines) {
    if (text.codePoints().allMatch(character -> isPlain(character, keepsLines))) {
      return text;
    }
    StringBuilder shown = new StringBuilder(text.length() + 16);
    text.codePoints()
        .forEach(
            character -> {
              if (isPlain(character, keepsLines)) {
                shown.appendCodePoint(character);
              } else {
                shown.append(escape(character));
              }
            });
    return shown.toString();
  }

  /**
   * Whether the character is printed as it is. Format characters are not, since some of them
   * reverse the direction of text.
   */
  private static boolean isPlain(int character, boolean keepsLines) {
    return switch (Character.getType(character)) {
      case Character.CONTROL -> keepsLines && character == '\n';
      case Character.FORMAT,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> true;
    };
  }

  private static String escape(int character) {
    return switch (character) {
      case '\n' -> "\\n";
      case '\r' -> "\\r";
      case '\t' -> "\\t";
      default -> String.format(character > 0xffff ? "\\U%08x" : "\\u%04x", character);
    };
  }
}
