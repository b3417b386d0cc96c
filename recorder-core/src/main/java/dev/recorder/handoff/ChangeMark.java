package dev.recorder.handoff;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.ByteBuffer;

/**
 * The mark with which the payload of each captured change begins. A CHECK on the hand-off table
 * refuses the mark from roles that may not number changes. A row without the mark is an ordinary
 * row of an application, whatever else its payload has. Pure.
 */
public final class ChangeMark {
  /** The name of the payload's first member. */
  public static final String MEMBER = "by";

  /** The value of the payload's first member. */
  public static final String VALUE = "recorder_capture";

  /** The beginning of a marked payload up to the member's name, as the server writes it. */
  public static final String BEGINNING = "{\"" + MEMBER + "\":";

  /**
   * The beginning of a marked payload with the member's name and value, as the server writes it.
   */
  public static final String TEXT = BEGINNING + "\"" + VALUE + "\"";

  private static final ByteBuffer BYTES = ByteBuffer.wrap(TEXT.getBytes(US_ASCII));

  private ChangeMark() {}

  /** Returns whether a payload begins with the mark. */
  public static boolean isOn(ByteBuffer payload) {
    int length = BYTES.capacity();
    return payload.remaining() >= length && payload.slice(payload.position(), length).equals(BYTES);
  }
}
