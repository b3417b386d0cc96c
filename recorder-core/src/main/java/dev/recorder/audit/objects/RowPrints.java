package dev.recorder.audit.objects;

import dev.recorder.handoff.KeptRow;
import dev.recorder.handoff.LineFields;
import dev.recorder.slotlog.SlotContentBuilder;
import java.nio.ByteBuffer;
import java.security.DigestException;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/**
 * Makes prints of rows and of lines: the first half of the SHA-256 over id, time, key and payload.
 * For a row they come from its columns, for a line from its fields, so that the comparison does not
 * depend on the writer's encoder. Not thread-safe.
 */
public final class RowPrints {
  private static final int NULL_KEY = -1;

  /** In place of a key's length, for a line whose key cannot be found. */
  private static final int UNREADABLE = -2;

  private final MessageDigest digest = SlotContentBuilder.sha256();
  private final ByteBuffer head = ByteBuffer.allocate(2 * Long.BYTES + Integer.BYTES);
  private final byte[] hash = new byte[digest.getDigestLength()];

  /**
   * Returns the print of a row; reads its payload and removes the payload's line breaks in place.
   */
  public RowPrint of(KeptRow row) {
    ByteBuffer key = row.key();
    begin(row.id(), row.timeMicros(), key == null ? NULL_KEY : key.remaining());
    if (key != null) {
      digest.update(key);
    }
    ByteBuffer piece = row.payload().next();
    while (piece != null) {
      toOneLine(piece);
      digest.update(piece);
      piece = row.payload().next();
    }
    return end(row.id(), row.xid(), row.timeMicros());
  }

  /** Returns the print of a line's fields. */
  RowPrint of(LineFields line) {
    if (!line.isReadable()) {
      begin(line.id(), RowPrint.NO_TIME, UNREADABLE);
      digest.update(line.whole());
      return end(line.id(), line.xid(), RowPrint.NO_TIME);
    }
    @Nullable ByteBuffer key = line.key();
    begin(line.id(), line.timeMicros(), key == null ? NULL_KEY : key.remaining());
    if (key != null) {
      digest.update(key);
    }
    digest.update(line.payload());
    return end(line.id(), line.xid(), line.timeMicros());
  }

  private void begin(long id, long timeMicros, int keyLength) {
    head.putLong(0, id).putLong(8, timeMicros).putInt(16, keyLength);
    digest.update(head.array());
  }

  private RowPrint end(long id, long xid, long timeMicros) {
    try {
      digest.digest(hash, 0, hash.length);
    } catch (DigestException impossible) {
      throw new IllegalStateException(impossible);
    }
    ByteBuffer bytes = ByteBuffer.wrap(hash);
    return new RowPrint(id, xid, timeMicros, bytes.getLong(), bytes.getLong());
  }

  /** Removes line breaks as in a line; they can only stand between the tokens of JSON. */
  private static void toOneLine(ByteBuffer payload) {
    for (int i = payload.position(); i < payload.limit(); i++) {
      byte each = payload.get(i);
      if (each == '\n' || each == '\r') {
        payload.put(i, (byte) ' ');
      }
    }
  }
}
