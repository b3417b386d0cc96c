package dev.recorder.app.soak;

import java.time.Duration;
import java.util.Locale;

/**
 * A fault as it was drawn.
 *
 * @param evil whether it belongs to two that follow close upon each other
 * @param gap from the fault before
 * @param lasts until it is healed
 * @param recorder index of the recorder whose holder is meant
 * @param host index of the host that is meant instead if {@code atHolder} is not set or nobody
 *     holds
 * @param share of the requests to S3 that it befalls
 */
record Drawn(
    FaultKind kind,
    boolean evil,
    Duration gap,
    Duration lasts,
    int recorder,
    boolean atHolder,
    int host,
    double share) {

  /** The name it is counted under. */
  String label() {
    return evil ? "evil" : kind.label();
  }

  /** A time of the same share. */
  Duration upTo(int millis) {
    return Duration.ofMillis((long) (share * millis));
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%s%s for %.1f s",
        evil ? "evil " : "",
        kind.label()
            + (kind.isPartial() ? String.format(Locale.ROOT, " %.0f %%", share * 100) : ""),
        lasts.toMillis() / 1e3);
  }
}
