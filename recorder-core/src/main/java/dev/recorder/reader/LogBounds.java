package dev.recorder.reader;

import java.util.Optional;

/**
 * What the database knows of a log. The bucket alone does not tell the end of a log from slots that
 * were deleted.
 */
@FunctionalInterface
public interface LogBounds {
  /** Without a database. */
  LogBounds UNKNOWN = Optional::empty;

  /**
   * From the first slot that readers may rely on to the last settled one.
   *
   * @param last 0 if there is none
   */
  record Bounds(long first, long last) {}

  /** The current bounds; empty if unknown. Called on a thread of the reader. */
  Optional<Bounds> look();
}
