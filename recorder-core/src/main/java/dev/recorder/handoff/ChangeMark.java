package dev.recorder.handoff;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.ByteBuffer;

/**
 * What the payload of a captured change begins with, and no other row's: a CHECK on the hand-off
 * table turns away whoever may not number changes. A row without it is somebody's own, whatever
 * else it looks like. Pure.
 */
public final class ChangeMark {
  /** Name of the first member. */
  public static final String MEMBER = "by";

  /** Its value. */
  public static final String VALUE = "recorder_capture";

  /** As the server writes its name. */
  public static final String BEGINNING = "{\"" + MEMBER + "\":";

  /** As the server writes both. */
  public static final String TEXT = BEGINNING + "\"" + VALUE + "\"";

  private static final ByteBuffer BYTES = ByteBuffer.wrap(TEXT.getBytes(US_ASCII));

  private ChangeMark() {}

  /** Whether a payload begins so. */
  public static boolean isOn(ByteBuffer payload) {
    int length = BYTES.capacity();
    return payload.remaining() >= length && payload.slice(payload.position(), length).equals(BYTES);
  }
}
