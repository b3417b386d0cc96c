package dev.recorder.reader;

import java.util.Optional;

/**
 * The first and last slot of a log, from the database. From the bucket alone, the end of a log
 * cannot be distinguished from deleted slots.
 */
@FunctionalInterface
public interface LogBounds {
  /** The bounds without a database. */
  LogBounds UNKNOWN = Optional::empty;

  /**
   * The first slot on which readers may rely, and the last settled slot.
   *
   * @param last 0 if there is none
   */
  record Bounds(long first, long last) {}

  /** Returns the current bounds; empty if unknown. Called on a thread of the reader. */
  Optional<Bounds> look();
}
