package dev.recorder.requests.worker;

import dev.recorder.requests.postgres.ListenSession.ClearedBatch;
import java.time.Duration;

/**
 * How far a table of requests is cleared: from the oldest on to the end, then again after a while.
 * What is never cleared, as each entity's create, is looked at each time: so the longer a walk
 * took, the longer the rest. Pure; for one thread. Times are those of a monotonic clock, in
 * nanoseconds.
 */
final class HistoryWalk {
  /** Shortest rest between two walks. */
  static final Duration CLEAR_EVERY = Duration.ofSeconds(60);

  /** A rest is so many times as long as the statements of the walk before took. */
  static final int RESTS = 20;

  private long upTo;
  private int removed;
  private long worked;
  private long endedAt;

  /** The first walk begins after the shortest rest. */
  HistoryWalk(long now) {
    this.endedAt = now;
  }

  /** Whether there is a step to take. */
  boolean isDue(long now) {
    return upTo > 0 || now - endedAt >= Math.max(CLEAR_EVERY.toNanos(), RESTS * worked);
  }

  /** Takes note of a step that was asked for at {@code asked}. */
  void step(ClearedBatch batch, long asked, long now) {
    boolean isFirst = upTo == 0;
    removed = (isFirst ? 0 : removed) + batch.removed();
    worked = (isFirst ? 0 : worked) + now - asked;
    upTo = batch.upTo();
    if (upTo == 0) {
      endedAt = now;
    }
  }

  /** The next step looks behind this id; 0 if a walk is at its end. */
  long upTo() {
    return upTo;
  }

  /** How many requests this walk has removed, or, at its end, the last one. */
  int removed() {
    return removed;
  }
}
