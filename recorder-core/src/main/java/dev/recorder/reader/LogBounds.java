package dev.recorder.reader;

import java.util.Optional;

/**
 * What somebody who can ask the database knows of a log: the bucket alone does not tell the end of
 * a log from slots that were deleted there.
 */
@FunctionalInterface
public interface LogBounds {
  /** The bucket only. */
  LogBounds UNKNOWN = Optional::empty;

  /**
   * From the first slot that readers may rely on to the last that is settled.
   *
   * @param last 0 if there is none
   */
  record Bounds(long first, long last) {}

  /** What it is now; empty if that cannot be told. Called on a thread of the reader's. */
  Optional<Bounds> look();
}
