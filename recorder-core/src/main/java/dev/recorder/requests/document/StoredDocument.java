package dev.recorder.requests.document;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * An entity's document as stored: JSON, followed by a line of 64 blanks and tabs, which JSON
 * allows.
 *
 * <p>The line encodes the low half of the unit's process id. An ETag is often the MD5 of the body:
 * without the line, a document that returns to an earlier text would have its earlier ETag, and a
 * delayed PUT of that time would replace it.
 *
 * @param text the JSON, without the line
 * @param stamp empty if another program wrote the object
 */
public record StoredDocument(String text, Optional<DocumentStamp> stamp) {
  private static final char REPLACEMENT = '\uFFFD';

  private static final int LINE = Long.SIZE;

  /** The length of the line with the newline before it and the one at its end. */
  private static final int LINE_AND_ENDS = LINE + 2;

  static StoredDocument of(String text, DocumentStamp stamp) {
    return new StoredDocument(text, Optional.of(stamp));
  }

  public byte[] body() {
    String line = stamp.map(s -> line(s.process())).orElse("");
    byte[] body = new byte[Math.toIntExact(Patching.bytes(text) + line.length())];
    ByteBuffer into = ByteBuffer.wrap(body);
    UTF_8.newEncoder().encode(CharBuffer.wrap(text), into, true);
    into.put(line.getBytes(UTF_8));
    return body;
  }

  public Map<String, String> metadata() {
    return stamp.map(DocumentStamp::asMap).orElse(Map.of());
  }

  /**
   * Reads an object of any origin; the text need not be JSON.
   *
   * @return empty if the bytes are not text
   */
  public static Optional<StoredDocument> read(byte[] body, Map<String, String> metadata) {
    int end = body.length - LINE_AND_ENDS;
    boolean hasLine = end >= 0 && isLine(new String(body, end, LINE_AND_ENDS, ISO_8859_1));
    int length = hasLine ? end : body.length;
    String text = new String(body, 0, length, UTF_8);
    // The replacement character may also be part of the text.
    if (text.indexOf(REPLACEMENT) >= 0 && !isText(body, length)) {
      return Optional.empty();
    }
    return Optional.of(new StoredDocument(text, DocumentStamp.from(metadata)));
  }

  private static boolean isText(byte[] body, int length) {
    try {
      UTF_8.newDecoder().decode(ByteBuffer.wrap(body, 0, length));
      return true;
    } catch (CharacterCodingException notText) {
      return false;
    }
  }

  private static String line(UUID process) {
    StringBuilder line = new StringBuilder("\n");
    for (int bit = LINE - 1; bit >= 0; bit--) {
      line.append((process.getLeastSignificantBits() >>> bit & 1) == 0 ? ' ' : '\t');
    }
    return line.append('\n').toString();
  }

  private static boolean isLine(String end) {
    String between = end.substring(1, end.length() - 1);
    return end.startsWith("\n")
        && end.endsWith("\n")
        && between.chars().allMatch(c -> c == ' ' || c == '\t');
  }
}
