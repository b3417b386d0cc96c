package dev.recorder.requests;

/**
 * Memory for what one unit reads, where that is more than each may without asking. It is asked for
 * before anything of that size is read, and is the unit's until it ends.
 *
 * <p>For the unit's thread, which waits here, for a part of the unit's time limit at most.
 */
public interface Room {
  /** As much as a unit may have of payloads, and of a document, without asking; in bytes. */
  long SMALL = 64 << 10;

  /**
   * Before payloads of so many bytes are read; if they are large, enough for the document they may
   * be merged into, too.
   *
   * @return false if there was none in time
   */
  boolean forPayloads(long bytes) throws InterruptedException;

  /** As {@link #forDocument}, without waiting. */
  boolean isThereForDocument(long bytes);

  /**
   * Before a document of so many bytes is read by a unit whose payloads are small, or have room.
   *
   * @return false if there was none in time, or if what the payloads take is in the way of another
   *     that has waited for longer
   */
  boolean forDocument(long bytes) throws InterruptedException;
}
