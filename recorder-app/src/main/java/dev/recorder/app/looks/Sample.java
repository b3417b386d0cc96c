package dev.recorder.app.looks;

import dev.recorder.operate.site.Takeover;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The latest knowledge of the database.
 *
 * @param look the last successful sample; null before the first
 * @param at the end of the sample, on a ticker
 * @param tookNanos the duration of the sample
 * @param takeovers the latest receipts, latest first; may be younger than the sample
 * @param ok whether the last attempt succeeded
 * @param why its failure; empty without one
 */
public record Sample(
    @Nullable SiteLook look,
    long at,
    long tookNanos,
    List<Takeover> takeovers,
    boolean ok,
    String why) {
  public static final Sample NONE = new Sample(null, 0, 0, List.of(), false, "");

  public Sample {
    takeovers = List.copyOf(takeovers);
  }

  public static Sample of(SiteLook look, long at, long tookNanos, List<Takeover> takeovers) {
    return new Sample(look, at, tookNanos, takeovers, true, "");
  }

  Sample with(List<Takeover> receipts) {
    return new Sample(look, at, tookNanos, receipts, ok, why);
  }

  public Sample outdated(String cause) {
    return new Sample(look, at, tookNanos, takeovers, false, cause);
  }
}
