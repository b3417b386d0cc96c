package dev.recorder.handoff;

import java.nio.charset.StandardCharsets;

/**
 * A committed row of a hand-off table as bytes: key and payload are ranges of {@code data}, in
 * UTF-8, so that a row of many megabytes is never copied into a string.
 *
 * @param id as in {@link HandoffRow}
 * @param xid as in {@link HandoffRow}
 * @param timeMicros as in {@link HandoffRow}
 * @param data the bytes, which the consumer of the row may change
 * @param keyAt where the key begins
 * @param keyLength in bytes; -1 for no key
 * @param payloadAt where the payload begins
 * @param payloadLength in bytes
 */
@SuppressWarnings("ArrayRecordComponent") // a carrier of bytes, never compared
public record RawRow(
    long id,
    long xid,
    long timeMicros,
    byte[] data,
    int keyAt,
    int keyLength,
    int payloadAt,
    int payloadLength) {

  /** Returns the same row in this form. */
  public static RawRow of(HandoffRow row) {
    String key = row.key();
    byte[] keyBytes = key == null ? new byte[0] : key.getBytes(StandardCharsets.UTF_8);
    byte[] payload = row.payload().getBytes(StandardCharsets.UTF_8);
    byte[] data = new byte[keyBytes.length + payload.length];
    System.arraycopy(keyBytes, 0, data, 0, keyBytes.length);
    System.arraycopy(payload, 0, data, keyBytes.length, payload.length);
    return new RawRow(
        row.id(),
        row.xid(),
        row.timeMicros(),
        data,
        0,
        key == null ? -1 : keyBytes.length,
        keyBytes.length,
        payload.length);
  }
}
