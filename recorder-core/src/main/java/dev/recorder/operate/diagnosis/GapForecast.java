package dev.recorder.operate.diagnosis;

import dev.recorder.operate.site.Takeover;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * How long no host was active when a recorder was handed over gracefully in the past, as an
 * estimate for the next time. Pure.
 *
 * @param times the number of known hand-overs
 */
public record GapForecast(int times, long medianMillis, long longestMillis) {
  /** The reasons of graceful changes; the two hosts do not matter. */
  private static final Set<String> GRACEFUL = Set.of("switchover", "failback");

  /**
   * Computes the forecast from receipts of one recorder; empty if the recorder was never handed
   * over gracefully.
   */
  public static Optional<GapForecast> of(List<Takeover> receipts) {
    List<Long> gaps =
        receipts.stream()
            .filter(receipt -> GRACEFUL.contains(receipt.reason()))
            .map(Takeover::gapMillis)
            .filter(Objects::nonNull)
            .sorted()
            .toList();
    return gaps.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new GapForecast(
                gaps.size(), gaps.get((gaps.size() - 1) / 2), gaps.get(gaps.size() - 1)));
  }

  /**
   * A text such as {@code the last 5 times no host was active for 12 ms (median), at most 30 ms}.
   */
  @Override
  public String toString() {
    return times == 1
        ? "the last time no host was active for %d ms".formatted(longestMillis)
        : "the last %d times no host was active for %d ms (median), at most %d ms"
            .formatted(times, medianMillis, longestMillis);
  }
}
