package dev.recorder.audit;

/** Port: room in the heap for one object at a time. For one thread. */
@FunctionalInterface
public interface ReadingRoom {
  /** As much as there is. */
  ReadingRoom UNLIMITED = bytes -> true;

  /**
   * Asks for so many bytes in all, instead of what was asked for before; may wait for them. None
   * gives back everything.
   *
   * @return whether there is room for them
   */
  boolean of(long bytes);

  /** How much there is at most. */
  default long limit() {
    return Long.MAX_VALUE;
  }
}
