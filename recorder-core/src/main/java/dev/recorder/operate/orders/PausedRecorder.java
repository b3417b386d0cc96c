package dev.recorder.operate.orders;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * That a recorder is paused.
 *
 * @param until when it goes on by itself, by the database's clock
 * @param reason why, on one line
 * @param by who paused it; null if nobody noted it
 * @param since when it was paused, before it was made longer; null if nobody noted it
 */
public record PausedRecorder(
    Instant until, String reason, @Nullable Operator by, @Nullable Instant since) {
  public PausedRecorder {
    reason = Operator.plain(reason);
  }

  /** As in {@code paused by WHOM until WHEN: REASON}. */
  @Override
  public String toString() {
    return "paused by %s until %s: %s"
        .formatted(by == null ? "an operator" : by, until.truncatedTo(ChronoUnit.SECONDS), reason);
  }
}
