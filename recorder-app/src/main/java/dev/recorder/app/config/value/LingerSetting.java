package dev.recorder.app.config.value;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long rows wait so that an object gets fuller: {@code 1s}, {@code 0}, {@code auto}.
 *
 * @param fixed null for {@code auto}
 */
public record LingerSetting(@Nullable Duration fixed) {
  static final LingerSetting AUTO = new LingerSetting(null);
  private static final String AUTO_WORD = "auto";
  private static final String NOT_AT_ALL = "0";

  /**
   * Parses a linger.
   *
   * @throws IllegalArgumentException if it is not a linger
   */
  public static LingerSetting parse(String text) {
    return switch (text) {
      case AUTO_WORD -> AUTO;
      case NOT_AT_ALL -> new LingerSetting(Duration.ZERO);
      default -> new LingerSetting(DurationText.parse(text));
    };
  }

  @Override
  public String toString() {
    return fixed == null ? AUTO_WORD : DurationText.format(fixed);
  }

  public record LingerLimits(Duration greatest) implements Rule<LingerSetting> {
    @Override
    public @Nullable String fault(LingerSetting linger) {
      Duration fixed = linger.fixed();
      return fixed == null || fixed.compareTo(greatest) <= 0 ? null : "is out of range";
    }

    @Override
    public String allowed() {
      return "a duration from 0s to %s, such as 1s, or auto"
          .formatted(DurationText.format(greatest));
    }
  }
}
