package dev.recorder.app.config;

import java.time.Duration;

/**
 * The timings; {@link TimingLaw} says how they hang together.
 *
 * @param heartbeat how often a machine renews its row
 * @param lease how long after a heartbeat was sent the active may still start to write
 * @param takeoverAfter the silence after which a standby takes over
 * @param watch how often a standby looks for dead holders
 * @param networkTimeout the longest wait for an answer on the control connection
 * @param s3AttemptTimeout the longest single request to S3
 * @param failbackAfter how long a returned primary is healthy before it takes back
 * @param stuckAfter how long an active machine makes no progress before it looks for an able peer
 */
public record TimingConfig(
    Duration heartbeat,
    Duration lease,
    Duration takeoverAfter,
    Duration watch,
    Duration networkTimeout,
    Duration s3AttemptTimeout,
    Duration failbackAfter,
    Duration stuckAfter) {

  static final String SECTION = "timing";

  /**
   * What every session sets for itself; a backstop behind {@code takeover_after}, not a setting.
   */
  public static final Duration IDLE_SESSION_TIMEOUT = Duration.ofSeconds(3);

  static final Setting<Duration> HEARTBEAT =
      Setting.duration("heartbeat", "500ms", "20ms", "1m")
          .means("How often a host renews its row.");
  static final Setting<Duration> LEASE =
      Setting.duration("lease", "1500ms", "100ms", "1m")
          .means(
              "How long after sending a heartbeat, once that is confirmed, a host may start"
                  + " writes.");
  static final Setting<Duration> TAKEOVER_AFTER =
      Setting.duration("takeover_after", "2s", "350ms", "1m")
          .means("Silence after which a standby ends the active host's sessions and takes over.");
  static final Setting<Duration> WATCH =
      Setting.duration("watch", "50ms", "5ms", "1m")
          .means(
              "How often a host looks for holders that died; a quarter as often while it is active"
                  + " for all of its recorders.");
  static final Setting<Duration> NETWORK_TIMEOUT =
      Setting.duration("network_timeout", "1s", "50ms", "1m")
          .means("Longest wait for an answer on the control session.");
  static final Setting<Duration> S3_ATTEMPT_TIMEOUT =
      Setting.duration("s3_attempt_timeout", "30s", "100ms", "15m")
          .means(
              "Longest single call to S3. There is a warning if the largest object (`rotate_bytes`,"
                  + " or one row of `max_payload`) takes longer at 1 MB/s: a call that always ends"
                  + " too early is repeated forever.");
  static final Setting<Duration> FAILBACK_AFTER =
      Setting.duration("failback_after", "10s", "0s", "24h")
          .means(
              "How long a primary must have been healthy before it gets its recorder back. Doubles"
                  + " with each fault in a row, up to 64 times.");

  static final Setting<Duration> STUCK_AFTER =
      Setting.duration("stuck_after", "10s", "1s", "1h")
          .means(
              "How long an active host makes no progress with a recorder before it looks for a peer"
                  + " that can. Doubles in the same way. Should be longer than the PUT of a full"
                  + " object takes.");

  public TimingConfig {
    HEARTBEAT.require(heartbeat);
    LEASE.require(lease);
    TAKEOVER_AFTER.require(takeoverAfter);
    WATCH.require(watch);
    NETWORK_TIMEOUT.require(networkTimeout);
    S3_ATTEMPT_TIMEOUT.require(s3AttemptTimeout);
    FAILBACK_AFTER.require(failbackAfter);
    STUCK_AFTER.require(stuckAfter);
    for (TimingLaw.Breach breach :
        TimingLaw.breaches(heartbeat, lease, takeoverAfter, watch, networkTimeout)) {
      throw new IllegalArgumentException(breach.what());
    }
  }
}
