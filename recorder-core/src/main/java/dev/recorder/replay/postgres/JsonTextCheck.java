package dev.recorder.replay.postgres;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.nio.ByteBuffer;

/**
 * Recognises JSON whose strings PostgreSQL can read as text. It stores, but cannot read, a
 * character 0 or half of a surrogate pair that is written as an escape. Captured changes have
 * neither, since the server's values have none; other rows of a log may. Pure.
 */
final class JsonTextCheck {
  private static final int DIGITS = 4;

  private JsonTextCheck() {}

  /**
   * Whether all escapes stand for characters.
   *
   * @param json otherwise valid, in UTF-8, in all or part of an array
   */
  static boolean isText(ByteBuffer json) {
    byte[] bytes = json.array();
    int at = json.arrayOffset() + json.position();
    int end = at + json.remaining();
    boolean inPair = false;
    while (at < end) {
      if (bytes[at] != '\\') {
        if (inPair) {
          return false;
        }
        at++;
      } else if (bytes[at + 1] != 'u') {
        if (inPair) {
          return false;
        }
        at += 2;
      } else {
        char unit = unit(bytes, at + 2);
        if (unit == 0 || inPair != Character.isLowSurrogate(unit)) {
          return false;
        }
        inPair = Character.isHighSurrogate(unit);
        at += 2 + DIGITS;
      }
    }
    return true;
  }

  /**
   * Whether the names of all members of a captured change occur in it.
   *
   * @param json in all or part of an array
   */
  static boolean hasMembers(ByteBuffer json) {
    String bytes =
        new String(
            json.array(), json.arrayOffset() + json.position(), json.remaining(), ISO_8859_1);
    return bytes.contains("\"op\"") && bytes.contains("\"table\"") && bytes.contains("\"seq\"");
  }

  private static char unit(byte[] bytes, int from) {
    int value = 0;
    for (int i = from; i < from + DIGITS; i++) {
      value = 16 * value + Character.digit(bytes[i], 16);
    }
    return (char) value;
  }
}
