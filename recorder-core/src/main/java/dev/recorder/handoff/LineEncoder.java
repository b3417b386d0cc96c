package dev.recorder.handoff;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;

/**
 * Turns a row into its line: {@code {"id":…,"xid":…,"time":…,"key":…,"payload":…}} and a line feed.
 *
 * <p>The line is the row's identity: equal rows give equal bytes on every host, whatever the locale
 * or time zone. Inside the payload CR and LF become spaces (they can only stand between JSON
 * tokens, so the value stays the same); nothing else of the payload changes. Not thread-safe: one
 * encoder per reader.
 *
 * <p>A line has three parts, so that a large payload need not be copied to stand between the two
 * small ones: the head, the payload as {@link #oneLine} leaves it, and {@link #END}.
 */
public final class LineEncoder {
  /** The end of a line, after the payload. */
  public static final byte[] END = ascii("}\n");

  private static final byte[] ID = ascii("{\"id\":");
  private static final byte[] XID = ascii(",\"xid\":");
  private static final byte[] TIME = ascii(",\"time\":\"");
  private static final byte[] KEY = ascii("\",\"key\":");
  private static final byte[] PAYLOAD = ascii(",\"payload\":");
  private static final byte[] NULL = ascii("null");

  private byte[] head = new byte[512];
  private int length;
  private long renderedSecond = Long.MIN_VALUE;
  private byte[] renderedPrefix = new byte[0];

  /** Returns the line of {@code row}, in UTF-8, with its line feed. */
  public byte[] encode(HandoffRow row) {
    RawRow raw = RawRow.of(row);
    oneLine(raw);
    int size = encodeHead(raw);
    byte[] line = Arrays.copyOf(head, size + raw.payloadLength() + END.length);
    System.arraycopy(raw.data(), raw.payloadAt(), line, size, raw.payloadLength());
    System.arraycopy(END, 0, line, size + raw.payloadLength(), END.length);
    return line;
  }

  /** Puts the part before the payload into {@link #head}, and returns its length. */
  public int encodeHead(RawRow row) {
    length = 0;
    put(ID);
    put(ascii(Long.toString(row.id())));
    put(XID);
    put(ascii(Long.toUnsignedString(row.xid())));
    put(TIME);
    putTime(row.timeMicros());
    put(KEY);
    putKey(row);
    put(PAYLOAD);
    return length;
  }

  /**
   * Returns the buffer with the bytes of the last {@link #encodeHead}; bytes after its length mean
   * nothing. The buffer is valid until the next call of {@link #encodeHead}.
   */
  public byte[] head() {
    return head;
  }

  /** Replaces CR and LF in the payload by spaces, in place. */
  public static void oneLine(RawRow row) {
    byte[] data = row.data();
    int end = row.payloadAt() + row.payloadLength();
    for (int i = row.payloadAt(); i < end; i++) {
      if (data[i] == '\n' || data[i] == '\r') {
        data[i] = ' ';
      }
    }
  }

  private void putKey(RawRow row) {
    if (row.keyLength() < 0) {
      put(NULL);
      return;
    }
    put('"');
    if (isPlain(row)) {
      put(row.data(), row.keyAt(), row.keyLength());
    } else {
      String key = new String(row.data(), row.keyAt(), row.keyLength(), StandardCharsets.UTF_8);
      put(JsonStringEncoder.getInstance().quoteAsUTF8(key));
    }
    put('"');
  }

  /** Returns whether the key has no character that JSON must escape. */
  private static boolean isPlain(RawRow row) {
    for (int i = row.keyAt(); i < row.keyAt() + row.keyLength(); i++) {
      byte b = row.data()[i];
      if ((b >= 0 && b < ' ') || b == '"' || b == '\\') {
        return false;
      }
    }
    return true;
  }

  /**
   * Puts the time as ISO 8601 in UTC with all six decimals. Rows of one second share the rendered
   * front part.
   */
  private void putTime(long micros) {
    long second = Math.floorDiv(micros, 1_000_000L);
    if (second != renderedSecond) {
      renderedSecond = second;
      String rendered = Instant.ofEpochSecond(second).truncatedTo(ChronoUnit.SECONDS).toString();
      renderedPrefix = ascii(rendered.substring(0, rendered.length() - 1) + '.');
    }
    put(renderedPrefix);
    int fraction = (int) Math.floorMod(micros, 1_000_000L);
    for (int digit = 100_000; digit > 0; digit /= 10) {
      put('0' + fraction / digit % 10);
    }
    put('Z');
  }

  private void put(int character) {
    ensure(1);
    head[length++] = (byte) character;
  }

  private void put(byte[] bytes) {
    put(bytes, 0, bytes.length);
  }

  private void put(byte[] bytes, int from, int count) {
    ensure(count);
    System.arraycopy(bytes, from, head, length, count);
    length += count;
  }

  private void ensure(int more) {
    if (head.length - length < more) {
      head = Arrays.copyOf(head, Math.max(2 * head.length, length + more));
    }
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
