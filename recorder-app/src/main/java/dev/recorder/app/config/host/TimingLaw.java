package dev.recorder.app.config.host;

import static dev.recorder.app.config.host.TimingConfig.HEARTBEAT;
import static dev.recorder.app.config.host.TimingConfig.IDLE_SESSION_TIMEOUT;
import static dev.recorder.app.config.host.TimingConfig.LEASE;
import static dev.recorder.app.config.host.TimingConfig.NETWORK_TIMEOUT;
import static dev.recorder.app.config.host.TimingConfig.TAKEOVER_AFTER;
import static dev.recorder.app.config.host.TimingConfig.WATCH;

import dev.recorder.app.config.ini.SectionReader;
import dev.recorder.app.config.ini.Setting;
import dev.recorder.app.config.value.DurationText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The constraints between timings. They ensure that an active host that cannot renew its lease
 * stops before a standby starts, so that two writers do not race for a slot. Safety does not depend
 * on the constraints.
 */
final class TimingLaw {
  /**
   * The least time between the end of the lease and {@code takeover_after}, for timers that fire
   * late.
   */
  static final Duration MARGIN = Duration.ofMillis(250);

  /** The least number of reads of the heartbeats within {@code takeover_after}. */
  static final int READS_OF_SILENCE = 3;

  private final List<Breach> breaches = new ArrayList<>();

  private TimingLaw() {}

  /**
   * A violated constraint.
   *
   * @param settings its keys, the main one first
   */
  record Breach(List<Setting<Duration>> settings, String what, String help) {}

  static List<Breach> breaches(SectionReader timing) {
    TimingLaw law = new TimingLaw();
    Duration lease = timing.value(LEASE);
    Duration takeoverAfter = timing.value(TAKEOVER_AFTER);
    law.below(HEARTBEAT, timing.value(HEARTBEAT), LEASE, lease);
    law.below(NETWORK_TIMEOUT, timing.value(NETWORK_TIMEOUT), LEASE, lease);
    law.leaseEndsFirst(lease, takeoverAfter);
    law.backstopEndsLast(takeoverAfter);
    law.silenceIsSeenOften(timing.value(WATCH), takeoverAfter);
    return List.copyOf(law.breaches);
  }

  private void below(
      Setting<Duration> setting, Duration value, Setting<Duration> bound, Duration limit) {
    if (value.compareTo(limit) >= 0) {
      breaches.add(
          new Breach(
              List.of(setting, bound),
              "%s %s is not below %s %s"
                  .formatted(setting.key(), text(value), bound.key(), text(limit)),
              "write %s below %s, or %s above %s"
                  .formatted(setting.key(), text(limit), bound.key(), text(value))));
    }
  }

  private void leaseEndsFirst(Duration lease, Duration takeoverAfter) {
    Duration end = lease.plus(MARGIN);
    if (end.compareTo(takeoverAfter) > 0) {
      breaches.add(
          new Breach(
              List.of(LEASE, TAKEOVER_AFTER),
              "lease %s and a margin of %s are together more than takeover_after %s"
                  .formatted(text(lease), text(MARGIN), text(takeoverAfter)),
              remedy(takeoverAfter.minus(MARGIN), end)));
    }
  }

  /** Offers a longer takeover_after only if it stays within the sessions' idle timeout. */
  private static String remedy(Duration longestLease, Duration shortestTakeover) {
    String lease = "write lease of at most " + text(longestLease);
    return shortestTakeover.compareTo(IDLE_SESSION_TIMEOUT) > 0
        ? lease
        : "%s, or takeover_after from %s to %s"
            .formatted(lease, text(shortestTakeover), text(IDLE_SESSION_TIMEOUT));
  }

  private void backstopEndsLast(Duration takeoverAfter) {
    if (takeoverAfter.compareTo(IDLE_SESSION_TIMEOUT) > 0) {
      breaches.add(
          new Breach(
              List.of(TAKEOVER_AFTER),
              "takeover_after %s is more than the sessions' idle_session_timeout of %s"
                  .formatted(text(takeoverAfter), text(IDLE_SESSION_TIMEOUT)),
              "write takeover_after of at most " + text(IDLE_SESSION_TIMEOUT)));
    }
  }

  private void silenceIsSeenOften(Duration watch, Duration takeoverAfter) {
    if (watch.multipliedBy(READS_OF_SILENCE).compareTo(takeoverAfter) > 0) {
      breaches.add(
          new Breach(
              List.of(WATCH, TAKEOVER_AFTER),
              "watch %s does not fit %d times into takeover_after %s"
                  .formatted(text(watch), READS_OF_SILENCE, text(takeoverAfter)),
              "write watch of at most " + text(takeoverAfter.dividedBy(READS_OF_SILENCE))));
    }
  }

  private static String text(Duration duration) {
    return DurationText.format(duration);
  }
}
