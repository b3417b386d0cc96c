package dev.recorder.capture.postgres.snapshot;

import java.time.Duration;

/**
 * Chooses the number of places in the next chunk, so that its rows are locked for about {@value
 * #WANTED_MILLIS} ms, or longer if there are few rows. A place is a position of a row in the table:
 * each block has {@value #PLACES_PER_BLOCK} places, most of them empty. Pure; for one thread.
 */
final class ChunkSize {
  /** More rows than fit into a block of 32 KiB, the largest size. */
  static final int PLACES_PER_BLOCK = 2_048;

  static final int WANTED_MILLIS = 60;

  static final int FEW_ROWS = 200;

  private static final Duration BLOCK_LIMIT = Duration.ofSeconds(2);

  /** Half of the time that a chunk may take. */
  static final long LONG_MILLIS = SnapshotSession.CHUNK_LIMIT.toMillis() / 2;

  private static final long FIRST = 32L * PLACES_PER_BLOCK;

  /** 256 MiB, for tables that are mostly empty. */
  private static final long MOST = 32_768L * PLACES_PER_BLOCK;

  private static final int FASTEST_GROWTH = 2;
  private static final int FASTEST_FALL = 4;

  private long places = FIRST;

  long places() {
    return places;
  }

  /**
   * Returns the time limit of the next chunk. It is longer for a chunk of at most one block, and
   * longest for a single place.
   */
  Duration limit() {
    if (places == 1) {
      return SnapshotSession.LONG_LIMIT;
    }
    return places <= PLACES_PER_BLOCK ? BLOCK_LIMIT : SnapshotSession.CHUNK_LIMIT;
  }

  /**
   * Adapts the size to the time that a chunk of this size took. If the chunk had few rows, the time
   * may be a fixed cost of each chunk, for example of a table with many columns. So the size does
   * not shrink then: smaller chunks would take as long, and there would be more of them.
   */
  void took(long millis, long rows) {
    long fitting = places * WANTED_MILLIS / Math.max(1, millis);
    if (rows < FEW_ROWS) {
      fitting = Math.max(fitting, millis < LONG_MILLIS ? places * FASTEST_GROWTH : places);
    }
    long least = Math.max(1, places / FASTEST_FALL);
    long most = Math.min(MOST, places * FASTEST_GROWTH);
    places = Math.max(least, Math.min(most, fitting));
  }

  /** Makes chunks smaller, since one of this size was blocked by a lock or took too long. */
  void failed() {
    places = Math.max(1, places / FASTEST_FALL);
  }
}
