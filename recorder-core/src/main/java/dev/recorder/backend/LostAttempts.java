package dev.recorder.backend;

import dev.recorder.postgres.RequestSession;
import dev.recorder.requests.Attempt;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * What the workers of one recorder had begun on sessions that they have lost. Whoever has a session
 * first disowns it for all, before it claims something: what is left begun looks like the work of a
 * process that died. Thread-safe.
 */
final class LostAttempts {
  /** Those beyond are forgotten, and so suspected. Each worker loses two at a time at most. */
  private static final int MOST = 1_000;

  private final ConcurrentLinkedQueue<Attempt> attempts = new ConcurrentLinkedQueue<>();

  void add(List<Attempt> lost) {
    for (Attempt attempt : lost) {
      if (attempts.size() < MOST) {
        attempts.add(attempt);
      }
    }
  }

  /** Disowns all but those whose rows somebody has locked; they stay for the next time. */
  void disown(RequestSession queue) {
    if (attempts.isEmpty()) {
      return;
    }
    for (Attempt attempt : List.copyOf(attempts)) {
      if (queue.disown(attempt)) {
        attempts.remove(attempt);
      }
    }
  }
}
