package dev.recorder.capture.postgres;

/**
 * How many places of a table the next chunk has, so that its rows are locked for about {@value
 * #WANTED_MILLIS} ms. A place is where a row may be: each block has {@value #PLACES_PER_BLOCK}, of
 * which most are empty. Pure; for one thread.
 */
final class ChunkSize {
  /** More than fit into a block of 32 KiB, the largest there are. */
  static final int PLACES_PER_BLOCK = 2_048;

  static final int WANTED_MILLIS = 60;

  private static final long FIRST = 32L * PLACES_PER_BLOCK;

  /** 256 MiB, for tables that are mostly empty. */
  private static final long MOST = 32_768L * PLACES_PER_BLOCK;

  private static final int FASTEST_GROWTH = 2;
  private static final int FASTEST_FALL = 4;

  private long places = FIRST;

  long places() {
    return places;
  }

  /** Whether it cannot be less. */
  boolean isLeast() {
    return places == 1;
  }

  /** A chunk of this size took so long. */
  void took(long millis) {
    long fitting = places * WANTED_MILLIS / Math.max(1, millis);
    long least = Math.max(1, places / FASTEST_FALL);
    long most = Math.min(MOST, places * FASTEST_GROWTH);
    places = Math.max(least, Math.min(most, fitting));
  }

  /** A chunk of this size met somebody who is in its way, or took too long. */
  void failed() {
    places = Math.max(1, places / FASTEST_FALL);
  }
}
