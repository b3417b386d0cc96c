package dev.recorder.handoff;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A line of an object, with its line feed, and the id and xid of its row.
 *
 * <p>The bytes are the row's identity: after a database has lost history, ids and xids are issued
 * twice, so (xid, id) alone does not identify a row.
 */
@SuppressWarnings("ArrayRecordComponent") // compared by is(), never by equals
public record RecordedLine(long id, long xid, byte[] bytes) {
  private static final int HEAD = 80;
  private static final Pattern NAMES =
      Pattern.compile("\\{\"id\":(-?\\d{1,19}),\"xid\":(\\d{1,20}),");

  /**
   * Reads the line at {@code from} (inclusive) to {@code to} (exclusive, after the line feed).
   *
   * @throws IllegalArgumentException if the line does not begin with an id and an xid
   */
  public static RecordedLine parse(byte[] content, int from, int to) {
    String start =
        new String(content, from, Math.min(HEAD, to - from), StandardCharsets.ISO_8859_1);
    Matcher names = NAMES.matcher(start);
    if (!names.lookingAt()) {
      throw new IllegalArgumentException("a line does not begin with id and xid");
    }
    return new RecordedLine(
        Long.parseLong(names.group(1)),
        Long.parseUnsignedLong(names.group(2)),
        Arrays.copyOfRange(content, from, to));
  }

  /** Returns whether {@code encoded} has the same bytes as this line. */
  public boolean is(byte[] encoded) {
    return Arrays.equals(bytes, encoded);
  }
}
