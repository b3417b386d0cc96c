package dev.recorder.table;

import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A row of a table. Its buffers are valid until the next row is read.
 *
 * @param xid the transaction's number, unsigned
 * @param key the key in UTF-8; null if the row has none
 * @param payload the JSON text of the log, in UTF-8
 * @param typed the values of the typed columns, in their order, with the classes that {@link
 *     ColumnType} states
 */
public record TableRow(
    long id,
    long xid,
    long timeMicros,
    @Nullable ByteBuffer key,
    ByteBuffer payload,
    long slot,
    List<@Nullable Object> typed) {
  /** Returns the approximate size in bytes. */
  public long bytes() {
    return 40L + payload.remaining() + (key == null ? 0 : key.remaining()) + 8L * typed.size();
  }
}
