package dev.recorder.app.config.value;

import dev.recorder.clearing.ClearingPlan;
import dev.recorder.machine.settings.RecorderSettings;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long recorded rows, or requests that have ended, stay in their table: {@code 0}, {@code 7d},
 * {@code forever}.
 *
 * @param kept null for {@code forever}
 */
public record History(@Nullable Duration kept) {
  public static final History FOREVER = new History(null);

  /** The history of logs without the key. */
  public static final History OF_LOGS = new History(RecorderSettings.DEFAULT_HISTORY);

  private static final String FOREVER_WORD = "forever";
  private static final String NOT_AT_ALL = "0";

  /**
   * Parses a history.
   *
   * @throws IllegalArgumentException if it is not a history
   */
  public static History parse(String text) {
    return switch (text) {
      case FOREVER_WORD -> FOREVER;
      case NOT_AT_ALL -> new History(Duration.ZERO);
      default -> new History(DurationText.parse(text));
    };
  }

  /** Whether the history is so short that a block of the table also ends when it is large. */
  public boolean isBySize() {
    return kept != null && ClearingPlan.isBySize(kept);
  }

  public boolean isNone() {
    return Duration.ZERO.equals(kept);
  }

  @Override
  public String toString() {
    if (kept == null) {
      return FOREVER_WORD;
    }
    return isNone() ? NOT_AT_ALL : DurationText.format(kept);
  }

  public record HistoryLimits(Duration least, Duration greatest) implements Rule<History> {
    @Override
    public @Nullable String fault(History history) {
      Duration kept = history.kept();
      boolean inside =
          kept == null
              || kept.isZero()
              || (kept.compareTo(least) >= 0 && kept.compareTo(greatest) <= 0);
      return inside ? null : "is out of range";
    }

    @Override
    public String allowed() {
      return "a duration from %s to %s, such as 7d, or 0, or forever"
          .formatted(DurationText.format(least), DurationText.format(greatest));
    }
  }
}
