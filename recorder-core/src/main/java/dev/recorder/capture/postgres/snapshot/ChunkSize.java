package dev.recorder.capture.postgres.snapshot;

import java.time.Duration;

/**
 * How many places of a table the next chunk has, so that its rows are locked for about {@value
 * #WANTED_MILLIS} ms, or longer if they are few. A place is where a row may be: each block has
 * {@value #PLACES_PER_BLOCK}, of which most are empty. Pure; for one thread.
 */
final class ChunkSize {
  /** More than fit into a block of 32 KiB, the largest there are. */
  static final int PLACES_PER_BLOCK = 2_048;

  static final int WANTED_MILLIS = 60;

  static final int FEW_ROWS = 200;

  private static final Duration BLOCK_LIMIT = Duration.ofSeconds(2);

  /** Half of what a chunk may take. */
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

  /** How long it may take: longer if it is small, and as long as it must if it cannot be less. */
  Duration limit() {
    if (places == 1) {
      return SnapshotSession.LONG_LIMIT;
    }
    return places <= PLACES_PER_BLOCK ? BLOCK_LIMIT : SnapshotSession.CHUNK_LIMIT;
  }

  /**
   * A chunk of this size took so long. If it had few rows, it may be what every chunk takes, as of
   * a table with many columns: a smaller one would take as long, and there would be no end of them.
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

  /** A chunk of this size met somebody who is in its way, or took too long. */
  void failed() {
    places = Math.max(1, places / FASTEST_FALL);
  }
}
