package dev.recorder.requests;

/**
 * Memory for large data of one unit. It is reserved before data of that size are read, and released
 * when the unit ends.
 *
 * <p>For the unit's thread, which may wait here for a part of the unit's time limit.
 */
public interface MemoryReservation {
  /**
   * The size of payloads, and of a document, in bytes, that a unit may hold without a reservation.
   */
  long SMALL = 64 << 10;

  /**
   * Reserves memory before payloads of this size are read. For large payloads, it includes the
   * document into which they may be merged.
   *
   * @return false if the memory was not free in time
   */
  boolean forPayloads(long bytes) throws InterruptedException;

  /** As {@link #forDocument}, without waiting. */
  boolean isThereForDocument(long bytes);

  /**
   * Reserves memory before a document of this size is read. The unit has small payloads, or has
   * reserved memory for them.
   *
   * @return false if the memory was not free in time, or if the memory of the payloads blocks a
   *     unit that has waited longer
   */
  boolean forDocument(long bytes) throws InterruptedException;
}
