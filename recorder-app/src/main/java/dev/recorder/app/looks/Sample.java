package dev.recorder.app.looks;

import dev.recorder.operate.site.Takeover;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is known of the database now.
 *
 * @param look the last that succeeded; null before the first
 * @param at when it had ended, on a ticker
 * @param tookNanos how long it took
 * @param takeovers the latest receipts, latest first; may be younger than the look
 * @param ok whether the last look or glance succeeded
 * @param why what it failed with; empty if it has not, or there is nothing to say
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

  /** A look that has just succeeded. */
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
