package dev.recorder.requests;

/**
 * Memory for large data of one unit. It is reserved before data of that size are read, and released
 * when the unit ends.
 *
 * <p>For the unit's thread, which may wait here for a part of the unit's time limit.
 */
public interface MemoryReservation {
  /** Bytes of payloads, and of a document, that a unit may have without a reservation. */
  long SMALL = 64 << 10;

  /**
   * Reserves memory before payloads of this size are read; for large ones, also enough for the
   * document they may be merged into.
   *
   * @return false if there was none in time
   */
  boolean forPayloads(long bytes) throws InterruptedException;

  /** As {@link #forDocument}, without waiting. */
  boolean isThereForDocument(long bytes);

  /**
   * Reserves memory before a document of this size is read, by a unit with small payloads or with a
   * reservation for them.
   *
   * @return false if there was none in time, or if the payloads' memory blocks a unit that has
   *     waited longer
   */
  boolean forDocument(long bytes) throws InterruptedException;
}
