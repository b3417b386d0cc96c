package dev.recorder.handoff;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Parses lines, one after the other: {@code {"id":…,"xid":…,"time":"…","key":…,"payload":…}} and a
 * line feed. Independent of the encoder that wrote them. Holds one line at a time. Not thread-safe.
 */
public final class LineFields {
  private static final byte[] ID = ascii("{\"id\":");
  private static final byte[] XID = ascii(",\"xid\":");
  private static final byte[] TIME = ascii(",\"time\":\"");
  private static final byte[] KEY = ascii("\",\"key\":");
  private static final byte[] PAYLOAD = ascii(",\"payload\":");
  private static final byte[] NULL = ascii("null");

  /**
   * The lengths of a time up to its second, and as a whole, as in {@code
   * 2026-01-02T03:04:05.678901Z}.
   */
  private static final int SECOND_LENGTH = 19;

  private static final int TIME_LENGTH = 27;
  private static final int MOST_DIGITS = 18;
  private static final int HEX_DIGITS = 4;
  private static final String ESCAPES = "\"\\/bfnrt";
  private static final String ESCAPED = "\"\\/\b\f\n\r\t";

  private byte[] content = {};
  private int from;
  private int at;
  private int end;
  private long id;
  private long xid;
  private boolean readable;
  private long timeMicros;
  private @Nullable ByteBuffer key;
  private byte[] knownSecond = {};
  private long knownMicros;

  /**
   * Parses the line from {@code start} (inclusive) to {@code stop} (exclusive, after the line
   * feed).
   *
   * @throws IllegalArgumentException if the line does not begin with an id and an xid
   */
  public void read(byte[] lines, int start, int stop) {
    content = lines;
    from = start;
    at = start;
    end = stop;
    if (!skip(ID)) {
      throw nameless();
    }
    id = number(true);
    if (!skip(XID)) {
      throw nameless();
    }
    xid = number(false);
    if (at >= end || content[at] != ',') {
      throw nameless();
    }
    readable = readTime() && readKey() && skip(PAYLOAD) && content[end - 2] == '}' && at < end - 2;
  }

  /** Returns the row's id. */
  public long id() {
    return id;
  }

  /** Returns the number of the row's transaction, unsigned. */
  public long xid() {
    return xid;
  }

  /** Returns whether the line has a time, a key and a payload where a recorder writes them. */
  public boolean isReadable() {
    return readable;
  }

  /**
   * Returns the row's time in microseconds since 1970. Defined only if the line {@link
   * #isReadable()}.
   */
  public long timeMicros() {
    return timeMicros;
  }

  /** Returns the key in UTF-8, or null if the row has none. */
  public @Nullable ByteBuffer key() {
    return key;
  }

  /** Returns the payload's bytes in the line. */
  public ByteBuffer payload() {
    return ByteBuffer.wrap(content, at, end - 2 - at);
  }

  /** Returns the whole line, with its line feed. */
  public ByteBuffer whole() {
    return ByteBuffer.wrap(content, from, end - from);
  }

  private boolean skip(byte[] expected) {
    boolean found =
        end - at >= expected.length
            && Arrays.equals(content, at, at + expected.length, expected, 0, expected.length);
    if (found) {
      at += expected.length;
    }
    return found;
  }

  private long number(boolean signed) {
    int start = at;
    if (signed && at < end && content[at] == '-') {
      at++;
    }
    int digits = at;
    long value = 0;
    while (at < end && content[at] >= '0' && content[at] <= '9') {
      value = value * 10 + (content[at++] - '0');
    }
    if (at == digits) {
      throw nameless();
    } else if (at - digits > MOST_DIGITS) {
      String text = new String(content, start, at - start, US_ASCII);
      return signed ? Long.parseLong(text) : Long.parseUnsignedLong(text);
    }
    return digits > start ? -value : value;
  }

  private boolean readTime() {
    if (!skip(TIME)) {
      return false;
    }
    int start = at;
    while (at < end && content[at] != '"') {
      at++;
    }
    try {
      timeMicros = micros(start, at);
      return true;
    } catch (DateTimeException | ArithmeticException notATime) {
      return false;
    }
  }

  private long micros(int start, int stop) {
    int second = start + SECOND_LENGTH;
    if (stop - start != TIME_LENGTH || content[second] != '.' || content[stop - 1] != 'Z') {
      return parse(new String(content, start, stop - start, ISO_8859_1));
    }
    if (!Arrays.equals(content, start, second, knownSecond, 0, knownSecond.length)) {
      long micros = parse(new String(content, start, SECOND_LENGTH, ISO_8859_1) + 'Z');
      knownSecond = Arrays.copyOfRange(content, start, second);
      knownMicros = micros;
    }
    long fraction = 0;
    for (int i = second + 1; i < stop - 1; i++) {
      if (content[i] < '0' || content[i] > '9') {
        throw new DateTimeException("not a digit");
      }
      fraction = fraction * 10 + (content[i] - '0');
    }
    return knownMicros + fraction;
  }

  private static long parse(String time) {
    Instant instant = Instant.parse(time);
    return Math.addExact(
        Math.multiplyExact(instant.getEpochSecond(), 1_000_000L), instant.getNano() / 1_000);
  }

  private boolean readKey() {
    if (!skip(KEY)) {
      return false;
    }
    if (skip(NULL)) {
      key = null;
      return true;
    }
    if (at >= end || content[at] != '"') {
      return false;
    }
    int start = ++at;
    boolean escaped = false;
    while (at < end && content[at] != '"') {
      escaped |= content[at] == '\\';
      at += content[at] == '\\' ? 2 : 1;
    }
    if (at >= end) {
      return false;
    }
    ByteBuffer raw = ByteBuffer.wrap(content, start, at - start);
    key = escaped ? unescaped(UTF_8.decode(raw)) : raw;
    at++;
    return key != null;
  }

  /** Returns the text of a JSON string, or null if the string is malformed. */
  private static @Nullable ByteBuffer unescaped(CharSequence json) {
    StringBuilder text = new StringBuilder(json.length());
    for (int i = 0; i < json.length(); i++) {
      char each = json.charAt(i);
      if (each != '\\') {
        text.append(each);
        continue;
      }
      char escape = json.charAt(++i);
      int known = ESCAPES.indexOf(escape);
      if (known >= 0) {
        text.append(ESCAPED.charAt(known));
      } else if (escape == 'u' && i + HEX_DIGITS < json.length()) {
        try {
          text.append((char) Integer.parseInt(json, i + 1, i + 1 + HEX_DIGITS, 16));
        } catch (NumberFormatException damaged) {
          return null;
        }
        i += HEX_DIGITS;
      } else {
        return null;
      }
    }
    return UTF_8.encode(text.toString());
  }

  private static IllegalArgumentException nameless() {
    return new IllegalArgumentException("a line does not begin with id and xid");
  }

  private static byte[] ascii(String text) {
    return text.getBytes(US_ASCII);
  }
}
