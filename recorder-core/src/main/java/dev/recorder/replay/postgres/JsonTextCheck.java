package dev.recorder.replay.postgres;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.nio.ByteBuffer;

/**
 * Recognises JSON whose strings PostgreSQL can read as text. PostgreSQL stores an escape for
 * character 0 or for half of a surrogate pair, but cannot read it as text. Captured changes have no
 * such escapes, since the server's values have no such characters. Other rows of a log may have
 * them. Pure.
 */
final class JsonTextCheck {
  private static final int DIGITS = 4;

  private JsonTextCheck() {}

  /**
   * Returns whether all escapes stand for characters.
   *
   * @param json otherwise valid JSON in UTF-8; the buffer may be part of an array
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
   * Returns whether the names of all members of a captured change occur in the JSON.
   *
   * @param json JSON in UTF-8; the buffer may be part of an array
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
