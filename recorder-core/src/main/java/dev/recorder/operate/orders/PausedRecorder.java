package dev.recorder.operate.orders;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * The pause of a recorder.
 *
 * @param until when the pause ends by itself, by the database's clock
 * @param reason why, on one line
 * @param by the operator; null if unknown
 * @param since when the pause began, before any extension; null if unknown
 */
public record PausedRecorder(
    Instant until, String reason, @Nullable Operator by, @Nullable Instant since) {
  public PausedRecorder {
    reason = Operator.plain(reason);
  }

  /** A text such as {@code paused by WHOM until WHEN: REASON}. */
  @Override
  public String toString() {
    return "paused by %s until %s: %s"
        .formatted(by == null ? "an operator" : by, until.truncatedTo(ChronoUnit.SECONDS), reason);
  }
}
