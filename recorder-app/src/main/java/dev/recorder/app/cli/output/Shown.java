package dev.recorder.app.cli.output;

/**
 * Text of unknown origin as people are shown it: what somebody else has put into a name must not
 * reach the terminal, which would obey it, nor look like a line of its own. Programs are given
 * JSON, which has its own way.
 */
public final class Shown {
  private Shown() {}

  /** On one line. */
  public static String of(String text) {
    return escaped(text, false);
  }

  /** With its line breaks: of a message that has lines of its own. */
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

  /** Format characters are not: some of them turn the direction of what follows. */
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
