package dev.recorder.app.page;

import dev.recorder.operate.Diagnosis;
import dev.recorder.operate.Facts;
import dev.recorder.operate.RecorderFacts;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one look at the database has found.
 *
 * @param rates rows recorded in a second since the look before, by lockid; not of those of which
 *     nobody can tell
 * @param errors requests that are errors, by lockid, counted up to {@link Looking#MOST_ERRORS}
 */
record BoardLook(
    Diagnosis site, Map<Integer, Double> rates, Map<Integer, Integer> errors, SeenLocks locks) {
  private static final double MILLIS = 1_000;

  BoardLook {
    rates = Map.copyOf(rates);
    errors = Map.copyOf(errors);
  }

  Facts facts() {
    return site.facts();
  }

  /** For how long what comes next has waited: zero if nothing waits, null if nobody can tell. */
  @Nullable Double lagSeconds(RecorderFacts recorder) {
    if (recorder.status().backlog() == null) {
      return null;
    }
    Instant oldest = recorder.oldestWaiting();
    Duration waited = oldest == null ? Duration.ZERO : facts().ago(oldest);
    return waited.toMillis() / MILLIS;
  }
}
