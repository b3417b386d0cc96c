package dev.recorder.app.looks;

import dev.recorder.operate.site.Takeover;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The latest sample of the database and the outcome of the last attempt.
 *
 * @param look the last successful sample; null before the first
 * @param at the end of the sample, on a ticker
 * @param tookNanos the duration of the sample
 * @param takeovers the latest receipts of takeovers, latest first; may be younger than the sample
 * @param ok whether the last attempt succeeded
 * @param why the failure of the last attempt; empty without one
 */
public record LatestSample(
    @Nullable SiteSample look,
    long at,
    long tookNanos,
    List<Takeover> takeovers,
    boolean ok,
    String why) {
  public static final LatestSample NONE = new LatestSample(null, 0, 0, List.of(), false, "");

  public LatestSample {
    takeovers = List.copyOf(takeovers);
  }

  public static LatestSample of(
      SiteSample look, long at, long tookNanos, List<Takeover> takeovers) {
    return new LatestSample(look, at, tookNanos, takeovers, true, "");
  }

  LatestSample with(List<Takeover> receipts) {
    return new LatestSample(look, at, tookNanos, receipts, ok, why);
  }

  public LatestSample outdated(String cause) {
    return new LatestSample(look, at, tookNanos, takeovers, false, cause);
  }
}
