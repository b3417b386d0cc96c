package dev.recorder.operate.diagnosis;

import java.time.Duration;

/** Durations in short words. */
public final class Ages {
  private Ages() {}

  /**
   * Returns a text such as {@code 4 s}, {@code 3 min}, {@code 5 h} or {@code 12 d}; less than a
   * second is 0 s.
   */
  public static String of(Duration age) {
    long seconds = age.toSeconds();
    if (seconds < 120) {
      return seconds + " s";
    } else if (seconds < 2 * 3600) {
      return age.toMinutes() + " min";
    }
    return age.toHours() < 48 ? age.toHours() + " h" : age.toDays() + " d";
  }
}
