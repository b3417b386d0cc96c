package dev.recorder.table;

import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A row of a table. Its buffers are good until the next row.
 *
 * @param xid unsigned
 * @param key its text in UTF-8; null if the row has none
 * @param payload JSON, as it stands in the log
 * @param typed the values of the typed columns, in their order: as {@link ColumnType} says
 */
public record TableRow(
    long id,
    long xid,
    long timeMicros,
    @Nullable ByteBuffer key,
    ByteBuffer payload,
    long slot,
    List<@Nullable Object> typed) {
  /** What it takes, about. */
  public long bytes() {
    return 40L + payload.remaining() + (key == null ? 0 : key.remaining()) + 8L * typed.size();
  }
}
