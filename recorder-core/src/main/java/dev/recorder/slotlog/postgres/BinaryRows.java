package dev.recorder.slotlog.postgres;

import dev.recorder.handoff.KeptRow;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Parses the messages of a {@code COPY … TO STDOUT (FORMAT binary)}. Each message is one row. The
 * first also has the stream's header before its row, and the last has no row.
 *
 * <p>Columns: id, xid, time, the excluding slot or null, key or null, payload.
 */
public final class BinaryRows {
  private static final int SIGNATURE = 11;
  private static final int FLAGS = 4;
  private static final int COLUMNS = 6;
  private static final int NULL = -1;

  /** PostgreSQL's epoch, 2000-01-01, in microseconds since 1970. */
  static final long EPOCH_MICROS = 946_684_800_000_000L;

  /**
   * The last time that can be recorded, in microseconds since PostgreSQL's epoch. Infinity is
   * later. Counted from 1970, it is the largest {@code long} but one, up to which PostgreSQL is
   * exact, too.
   */
  static final long LATEST = Long.MAX_VALUE - 1 - EPOCH_MICROS;

  private boolean begun;
  private @Nullable KeptRow row;
  private ByteBuffer payload = ByteBuffer.allocate(0);

  /** Reads a message, and returns whether it had a row. */
  public boolean read(byte[] message) {
    ByteBuffer bytes = ByteBuffer.wrap(message);
    if (!begun) {
      begun = true;
      bytes.position(SIGNATURE + FLAGS);
      int extension = bytes.getInt();
      bytes.position(bytes.position() + extension);
    }
    if (!bytes.hasRemaining()) {
      return false;
    }
    int columns = bytes.getShort();
    if (columns < 0) {
      return false;
    } else if (columns != COLUMNS) {
      throw new IllegalStateException(columns + " columns in a copied row");
    }
    long id = number(bytes);
    long xid = number(bytes);
    long time = Math.min(number(bytes), LATEST) + EPOCH_MICROS;
    int slot = bytes.getInt();
    long excludedBy = slot == NULL ? 0 : bytes.getLong();
    ByteBuffer key = text(bytes);
    ByteBuffer value = text(bytes);
    if (value == null) {
      throw new IllegalStateException("row " + id + " has no payload");
    }
    payload = value;
    row = new KeptRow(id, xid, time, excludedBy, key, KeptRow.Payload.whole(value));
    return true;
  }

  /** Returns the row of the last message that had one. */
  public KeptRow row() {
    KeptRow read = row;
    if (read == null) {
      throw new IllegalStateException("no row was read");
    }
    return read;
  }

  /** Returns the row's payload. */
  public ByteBuffer payload() {
    return payload;
  }

  private static long number(ByteBuffer bytes) {
    if (bytes.getInt() != Long.BYTES) {
      throw new IllegalStateException("a column of a copied row is no number of 8 bytes");
    }
    return bytes.getLong();
  }

  private static @Nullable ByteBuffer text(ByteBuffer bytes) {
    int length = bytes.getInt();
    if (length == NULL) {
      return null;
    }
    ByteBuffer text = bytes.slice(bytes.position(), length);
    bytes.position(bytes.position() + length);
    return text;
  }
}
