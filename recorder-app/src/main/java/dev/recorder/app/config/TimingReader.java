package dev.recorder.app.config;

import static dev.recorder.app.config.TimingConfig.FAILBACK_AFTER;
import static dev.recorder.app.config.TimingConfig.HEARTBEAT;
import static dev.recorder.app.config.TimingConfig.LEASE;
import static dev.recorder.app.config.TimingConfig.NETWORK_TIMEOUT;
import static dev.recorder.app.config.TimingConfig.S3_ATTEMPT_TIMEOUT;
import static dev.recorder.app.config.TimingConfig.STUCK_AFTER;
import static dev.recorder.app.config.TimingConfig.TAKEOVER_AFTER;
import static dev.recorder.app.config.TimingConfig.WATCH;

import java.time.Duration;

/** {@code [timing]}, and the law between its keys. */
final class TimingReader {
  private TimingReader() {}

  static Buildable<TimingConfig> read(SectionReader reader) {
    Duration heartbeat = reader.value(HEARTBEAT);
    Duration lease = reader.value(LEASE);
    Duration takeoverAfter = reader.value(TAKEOVER_AFTER);
    Duration watch = reader.value(WATCH);
    Duration networkTimeout = reader.value(NETWORK_TIMEOUT);
    Duration s3AttemptTimeout = reader.value(S3_ATTEMPT_TIMEOUT);
    Duration failbackAfter = reader.value(FAILBACK_AFTER);
    Duration stuckAfter = reader.value(STUCK_AFTER);
    reader.reportUnknownKeys();
    TimingLaw.breaches(heartbeat, lease, takeoverAfter, watch, networkTimeout)
        .forEach(breach -> report(reader, breach));
    warnOfOneSlowHeartbeat(reader, heartbeat, lease, networkTimeout);
    return () ->
        new TimingConfig(
            heartbeat,
            lease,
            takeoverAfter,
            watch,
            networkTimeout,
            s3AttemptTimeout,
            failbackAfter,
            stuckAfter);
  }

  /** Not about a key that was refused: its default, which the law then saw, stands nowhere. */
  private static void report(SectionReader reader, TimingLaw.Breach breach) {
    if (breach.settings().stream().anyMatch(reader::refused)) {
      return;
    }
    Setting<Duration> shownAt =
        breach.settings().stream().filter(reader::has).findFirst().orElse(breach.settings().get(0));
    reader.error(shownAt, breach.what(), breach.help());
  }

  private static void warnOfOneSlowHeartbeat(
      SectionReader reader, Duration heartbeat, Duration lease, Duration networkTimeout) {
    Duration answer = heartbeat.plus(networkTimeout);
    if (answer.compareTo(lease) > 0) {
      reader.warning(
          reader.has(HEARTBEAT) ? HEARTBEAT : reader.has(LEASE) ? LEASE : NETWORK_TIMEOUT,
          "heartbeat %s and network_timeout %s are together more than lease %s: one slow answer ends a term"
              .formatted(
                  DurationText.format(heartbeat),
                  DurationText.format(networkTimeout),
                  DurationText.format(lease)),
          "write heartbeat, or network_timeout, smaller; or lease of at least "
              + DurationText.format(answer));
    }
  }
}
