package dev.recorder.app.page;

import dev.recorder.app.looks.LatestSample;
import dev.recorder.metrics.MachineMetrics;
import dev.recorder.operate.diagnosis.Ages;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Why the page may be outdated. Pure. */
final class OutdatedReason {
  /** From this age of the sample on, a failed attempt is shown. */
  static final Duration LOOKED_WITHIN = Duration.ofSeconds(15);

  private static final int MOST_SAID = 200;

  private OutdatedReason() {}

  /**
   * Returns the reason in one sentence; null if there is none.
   *
   * @param age the age of the sample; null if there is none
   * @param lastLook the last attempt, or its failure
   */
  static @Nullable String of(
      String host, MachineMetrics metrics, @Nullable Duration age, LatestSample lastLook) {
    Duration beat = metrics.heartbeatAge();
    if (beat == null && !metrics.isRegistered()) {
      return host + " has not reached the database yet";
    } else if (beat != null && (!metrics.isRegistered() || metrics.lease().isZero())) {
      return host + " cannot reach the database, for " + Ages.of(beat) + ": what follows is old";
    } else if (age == null) {
      return lastLook.ok()
          ? null
          : host + " has not read the recorders' state from the database yet" + cause(lastLook);
    }
    return lastLook.ok() || age.compareTo(LOOKED_WITHIN) < 0
        ? null
        : "no look at the database has succeeded for "
            + Ages.of(age)
            + ": what follows is old"
            + cause(lastLook);
  }

  private static String cause(LatestSample lastLook) {
    String why = lastLook.why().lines().findFirst().orElse("").strip();
    int end = why.offsetByCodePoints(0, Math.min(MOST_SAID, why.codePointCount(0, why.length())));
    return why.isEmpty() ? "" : "; " + (end < why.length() ? why.substring(0, end) + "…" : why);
  }
}
