package dev.recorder.store;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * One segment of a key, made of any text. Different texts have different segments, and no segment
 * leads out of its folder.
 */
public final class KeySegment {
  private static final String UNRESERVED = "-._~";
  private static final HexFormat HEX = HexFormat.of().withUpperCase();

  private KeySegment() {}

  /**
   * Encodes all but the unreserved characters of RFC 3986, byte by byte.
   *
   * @throws CharacterCodingException if the text is not valid Unicode
   */
  public static String of(String text) throws CharacterCodingException {
    ByteBuffer utf8 = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
    StringBuilder encoded = new StringBuilder();
    while (utf8.hasRemaining()) {
      byte next = utf8.get();
      if (isUnreserved((char) (next & 0xff))) {
        encoded.append((char) next);
      } else {
        encoded.append('%').append(HEX.toHexDigits(next));
      }
    }
    return encoded.toString();
  }

  private static boolean isUnreserved(char c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || UNRESERVED.indexOf(c) >= 0;
  }
}
