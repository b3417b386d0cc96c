package dev.recorder.operate.diagnosis;

import dev.recorder.operate.site.Takeover;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * For how long nobody was active when a recorder was last handed over gracefully: what the next
 * time is likely to be like. Pure.
 *
 * @param times how many are known
 */
public record GapForecast(int times, long medianMillis, long longestMillis) {
  /** From whichever machine to whichever: the way is the same. */
  private static final Set<String> GRACEFUL = Set.of("switchover", "failback");

  /** From receipts of one recorder; empty if it was never handed over gracefully. */
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

  /** As in {@code the last 5 times nobody was active for 12 ms, at most 30 ms}. */
  @Override
  public String toString() {
    return times == 1
        ? "the last time no host was active for %d ms".formatted(longestMillis)
        : "the last %d times no host was active for %d ms (median), at most %d ms"
            .formatted(times, medianMillis, longestMillis);
  }
}
