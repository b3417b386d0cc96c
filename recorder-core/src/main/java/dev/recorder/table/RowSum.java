package dev.recorder.table;

import dev.recorder.slotlog.SlotContentBuilder;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Locale;

/**
 * The sum of the hashes of rows. The same rows have the same sum, in any order and in any number of
 * files. Not thread-safe.
 */
final class RowSum {
  private final MessageDigest sha256 = SlotContentBuilder.sha256();
  private final ByteBuffer numbers = ByteBuffer.allocate(4 * Long.BYTES + Integer.BYTES);
  private long high;
  private long low;

  /**
   * Adds the hash of a row's columns from the log. Typed columns are left out, since they are made
   * from the payload.
   */
  void add(TableRow row) {
    ByteBuffer key = row.key();
    numbers.clear();
    numbers.putLong(row.id()).putLong(row.xid()).putLong(row.timeMicros()).putLong(row.slot());
    numbers.putInt(key == null ? -1 : key.remaining());
    sha256.update(numbers.flip());
    if (key != null) {
      sha256.update(key.duplicate());
    }
    sha256.update(row.payload().duplicate());
    ByteBuffer hash = ByteBuffer.wrap(sha256.digest());
    plus(hash.getLong(), hash.getLong());
  }

  /** Adds another sum, in the form of {@link #toString}. */
  void add(String sum) {
    plus(Long.parseUnsignedLong(sum, 0, 16, 16), Long.parseUnsignedLong(sum, 16, 32, 16));
  }

  private void plus(long moreHigh, long moreLow) {
    low += moreLow;
    high += moreHigh + (Long.compareUnsigned(low, moreLow) < 0 ? 1 : 0);
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%016x%016x", high, low);
  }
}
