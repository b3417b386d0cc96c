package dev.recorder.requests.worker;

import dev.recorder.requests.postgres.ListenSession.ClearedBatch;
import java.time.Duration;

/**
 * The progress of clearing a table of requests. A walk goes from the oldest row to the end, and the
 * next walk follows after a pause. Rows that are never deleted, such as each entity's create, are
 * read in each walk, so the pause grows with the duration of the walk. Pure; for one thread. Times
 * are nanoseconds of a monotonic clock.
 */
final class ClearingProgress {
  /** Shortest pause between two walks. */
  static final Duration CLEAR_EVERY = Duration.ofSeconds(60);

  /** The pause, in multiples of the time that the statements of a walk took. */
  static final int RESTS = 20;

  private long upTo;
  private int removed;
  private long worked;
  private long endedAt;

  /** Creates the progress; the first walk begins after the shortest pause. */
  ClearingProgress(long now) {
    this.endedAt = now;
  }

  /** Whether a step is due. */
  boolean isDue(long now) {
    return upTo > 0 || now - endedAt >= Math.max(CLEAR_EVERY.toNanos(), RESTS * worked);
  }

  /** Records a step that began at {@code asked}. */
  void step(ClearedBatch batch, long asked, long now) {
    boolean isFirst = upTo == 0;
    removed = (isFirst ? 0 : removed) + batch.removed();
    worked = (isFirst ? 0 : worked) + now - asked;
    upTo = batch.upTo();
    if (upTo == 0) {
      endedAt = now;
    }
  }

  /** The id above which the next step looks; 0 at the end of a walk. */
  long upTo() {
    return upTo;
  }

  /** The number of requests that this walk, or the walk that has just ended, has deleted. */
  int removed() {
    return removed;
  }
}
