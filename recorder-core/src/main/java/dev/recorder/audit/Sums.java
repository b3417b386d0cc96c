package dev.recorder.audit;

import dev.recorder.audit.objects.RowPrint;
import java.util.BitSet;

/**
 * Numbers of rows of one side and the sums of their prints, per 256 ids. Two sides with the same
 * rows have the same sums, independent of the order. Distant ids may share a place, which then
 * holds more rows, without other effects.
 */
final class Sums {
  /** The number of places; with the arrays below they take at most 12 MB per side. */
  static final int PLACES = 1 << 19;

  private static final int IDS_BITS = 8;
  private static final int CHUNK_BITS = 10;
  private static final int FIELDS = 3;
  private static final int HIGH = 1;
  private static final int LOW = 2;

  private final long[][] chunks = new long[PLACES >> CHUNK_BITS][];
  private long rows;
  private int used;

  /** Returns the place of {@code id}. */
  static int place(long id) {
    return (int) (id >> IDS_BITS) & (PLACES - 1);
  }

  void add(RowPrint row) {
    int place = place(row.id());
    long[] chunk = chunks[place >> CHUNK_BITS];
    if (chunk == null) {
      chunk = new long[FIELDS << CHUNK_BITS];
      chunks[place >> CHUNK_BITS] = chunk;
      used++;
    }
    int at = offset(place);
    chunk[at]++;
    chunk[at + HIGH] += row.high();
    // Not a plain sum: two rows that have exchanged their xids must give another sum.
    chunk[at + LOW] += (row.low() ^ row.xid()) * 0x9E3779B97F4A7C15L ^ row.high();
    rows++;
  }

  long rows() {
    return rows;
  }

  /** The memory of the sums. */
  long bytes() {
    return (long) used * (FIELDS << CHUNK_BITS) * Long.BYTES;
  }

  long rows(int place) {
    return field(place, 0);
  }

  /** Returns the places where this and {@code other} have different rows. */
  BitSet differences(Sums other) {
    BitSet different = new BitSet();
    for (int i = 0; i < chunks.length; i++) {
      if (chunks[i] == null && other.chunks[i] == null) {
        continue;
      }
      int first = i << CHUNK_BITS;
      for (int place = first; place < first + (1 << CHUNK_BITS); place++) {
        different.set(place, !isEqual(other, place));
      }
    }
    return different;
  }

  private boolean isEqual(Sums other, int place) {
    return rows(place) == other.rows(place)
        && field(place, HIGH) == other.field(place, HIGH)
        && field(place, LOW) == other.field(place, LOW);
  }

  private long field(int place, int field) {
    long[] chunk = chunks[place >> CHUNK_BITS];
    return chunk == null ? 0 : chunk[offset(place) + field];
  }

  private static int offset(int place) {
    return (place & ((1 << CHUNK_BITS) - 1)) * FIELDS;
  }
}
