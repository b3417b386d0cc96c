package dev.recorder.producer.postgres;

import dev.recorder.producer.NewRow;

/** Formats a row as a line of {@code COPY … FROM STDIN} in the text format. */
final class CopyText {
  private CopyText() {}

  static void append(StringBuilder text, NewRow row) {
    String key = row.key();
    if (key == null) {
      text.append("\\N");
    } else {
      appendEscaped(text, key);
    }
    text.append('\t');
    appendEscaped(text, row.payload());
    text.append('\n');
  }

  private static void appendEscaped(StringBuilder text, String value) {
    int from = 0;
    for (int at = 0; at < value.length(); at++) {
      char letter = letter(value.charAt(at));
      if (letter != 0) {
        text.append(value, from, at).append('\\').append(letter);
        from = at + 1;
      }
    }
    text.append(value, from, value.length());
  }

  /**
   * Returns the letter that stands for this character after a backslash; 0 if it needs no escape.
   */
  private static char letter(char c) {
    return switch (c) {
      case '\\' -> '\\';
      case '\t' -> 't';
      case '\n' -> 'n';
      case '\r' -> 'r';
      default -> 0;
    };
  }
}
