package dev.recorder.handoff;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Turns a row into its line: {@code {"id":…,"xid":…,"time":…,"key":…,"payload":…}} and a line feed.
 *
 * <p>The line is the row's identity: equal rows give equal bytes on every machine, whatever its
 * locale or time zone. Inside the payload CR and LF become spaces (they can only stand between JSON
 * tokens, so the value stays the same); nothing else of it changes. Not thread-safe: one encoder
 * per reader.
 */
public final class LineEncoder {
  private static final byte[] ID = ascii("{\"id\":");
  private static final byte[] XID = ascii(",\"xid\":");
  private static final byte[] TIME = ascii(",\"time\":\"");
  private static final byte[] KEY = ascii("\",\"key\":");
  private static final byte[] PAYLOAD = ascii(",\"payload\":");
  private static final byte[] NULL = ascii("null");
  private static final byte[] END = ascii("}\n");

  private final ByteArrayOutputStream line = new ByteArrayOutputStream(512);
  private long renderedSecond = Long.MIN_VALUE;
  private String renderedPrefix = "";

  /** The line of {@code row}, in UTF-8, with its line feed. */
  public byte[] encode(HandoffRow row) {
    line.reset();
    line.writeBytes(ID);
    line.writeBytes(ascii(Long.toString(row.id())));
    line.writeBytes(XID);
    line.writeBytes(ascii(Long.toUnsignedString(row.xid())));
    line.writeBytes(TIME);
    line.writeBytes(ascii(time(row.timeMicros())));
    line.writeBytes(KEY);
    writeKey(row);
    line.writeBytes(PAYLOAD);
    line.writeBytes(oneLine(row.payload().getBytes(StandardCharsets.UTF_8)));
    line.writeBytes(END);
    return line.toByteArray();
  }

  private void writeKey(HandoffRow row) {
    String key = row.key();
    if (key == null) {
      line.writeBytes(NULL);
      return;
    }
    line.write('"');
    line.writeBytes(JsonStringEncoder.getInstance().quoteAsUTF8(key));
    line.write('"');
  }

  /** ISO 8601 in UTC with all six decimals; rows of one second share the rendered front part. */
  private String time(long micros) {
    long second = Math.floorDiv(micros, 1_000_000L);
    if (second != renderedSecond) {
      renderedSecond = second;
      String rendered = Instant.ofEpochSecond(second).truncatedTo(ChronoUnit.SECONDS).toString();
      renderedPrefix = rendered.substring(0, rendered.length() - 1) + '.';
    }
    String fraction = Long.toString(1_000_000L + Math.floorMod(micros, 1_000_000L));
    return renderedPrefix + fraction.substring(1) + 'Z';
  }

  private static byte[] oneLine(byte[] payload) {
    for (int i = 0; i < payload.length; i++) {
      if (payload[i] == '\n' || payload[i] == '\r') {
        payload[i] = ' ';
      }
    }
    return payload;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
