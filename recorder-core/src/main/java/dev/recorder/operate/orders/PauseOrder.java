package dev.recorder.operate.orders;

import java.time.Duration;

/**
 * An order to pause a recorder.
 *
 * @param lasts from {@link #SHORTEST} to {@link #LONGEST}, so that a forgotten pause ends, too
 * @param reason one line of at most {@value #LONGEST_REASON} characters
 * @param osUser the operator, as stated by the command
 */
public record PauseOrder(Duration lasts, String reason, String osUser) {
  public static final Duration SHORTEST = Duration.ofSeconds(1);
  public static final Duration LONGEST = Duration.ofDays(7);
  public static final int LONGEST_REASON = 300;

  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException with a sentence for the operator
   */
  public PauseOrder {
    if (lasts.compareTo(SHORTEST) < 0 || lasts.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "a pause lasts from %d s to %d days".formatted(SHORTEST.toSeconds(), LONGEST.toDays()));
    }
    if (reason.isBlank()
        || reason.length() > LONGEST_REASON
        || !Operator.plain(reason).equals(reason)) {
      throw new IllegalArgumentException(
          "the reason of a pause is one line of text, of %d characters at most"
              .formatted(LONGEST_REASON));
    }
    osUser = Operator.cut(osUser);
  }
}
