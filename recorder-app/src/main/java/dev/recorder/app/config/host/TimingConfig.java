package dev.recorder.app.config.host;

import dev.recorder.app.config.ini.Deferred;
import dev.recorder.app.config.ini.SectionReader;
import dev.recorder.app.config.ini.SectionValues;
import dev.recorder.app.config.ini.Setting;
import dev.recorder.app.config.ini.SettingTable;
import dev.recorder.app.config.value.DurationText;
import dev.recorder.leadership.Timing;
import dev.recorder.postgres.DatabaseSettings;
import dev.recorder.s3.S3Settings;
import java.time.Duration;

/** The section {@code [timing]}; {@link TimingLaw} relates its keys. */
public final class TimingConfig extends SectionValues {
  public static final SettingTable TABLE = new SettingTable("timing");

  /**
   * The {@code idle_session_timeout} of every session: a backstop behind {@code takeover_after},
   * and no key of the file.
   */
  public static final Duration IDLE_SESSION_TIMEOUT = DatabaseSettings.IDLE_LIMIT;

  public static final Setting<Duration> HEARTBEAT =
      TABLE.add(
          Setting.duration("heartbeat", Timing.DEFAULT.heartbeat(), "20ms", "1m")
              .means("How often a host renews its row in `info_recorders`."));
  public static final Setting<Duration> LEASE =
      TABLE.add(
          Setting.duration("lease", Timing.DEFAULT.lease(), "100ms", "1m")
              .means(
                  "How long a host may start writes, counted from when it sent the last heartbeat"
                      + " that the database has confirmed."));
  public static final Setting<Duration> TAKEOVER_AFTER =
      TABLE.add(
          Setting.duration("takeover_after", Timing.DEFAULT.takeoverAfter(), "350ms", "1m")
              .means(
                  "How long the active host must be silent before a standby ends its sessions and"
                      + " takes over."));
  public static final Setting<Duration> WATCH =
      TABLE.add(
          Setting.duration("watch", Timing.DEFAULT.watch(), "5ms", "1m")
              .means(
                  "How often a host checks whether an active host has died. A host that is active"
                      + " for all of its recorders checks every `heartbeat` instead, if that is"
                      + " longer."));
  public static final Setting<Duration> NETWORK_TIMEOUT =
      TABLE.add(
          Setting.duration("network_timeout", DatabaseSettings.NETWORK_TIMEOUT, "50ms", "1m")
              .means("Longest wait for an answer from the database on the control session."));
  public static final Setting<Duration> S3_ATTEMPT_TIMEOUT =
      TABLE.add(
          Setting.duration("s3_attempt_timeout", S3Settings.ATTEMPT_TIMEOUT, "100ms", "15m")
              .means(
                  "Longest duration of one call to S3. `recorder check` warns if the largest object"
                      + " (`rotate_bytes`, or one row of `max_payload`) takes longer at 1 MB/s:"
                      + " such a call would time out and be repeated forever."));
  public static final Setting<Duration> FAILBACK_AFTER =
      TABLE.add(
          Setting.duration("failback_after", Timing.DEFAULT.failbackAfter(), "0s", "24h")
              .means(
                  "How long a primary must have been healthy before it gets its recorder back."
                      + " The time doubles with each further fault in a row, up to 64 times."));

  public static final Setting<Duration> STUCK_AFTER =
      TABLE.add(
          Setting.duration("stuck_after", Timing.DEFAULT.stuckAfter(), "1s", "1h")
              .means(
                  "How long an active host makes no progress with a recorder before it looks for a"
                      + " peer that can take over. The time doubles as that of `failback_after`"
                      + " does. Set it longer than the PUT of a full object takes."));

  private TimingConfig(SectionReader reader) {
    super(TABLE, reader.inEffect());
  }

  public static Deferred<TimingConfig> read(SectionReader reader) {
    reader.read(TABLE);
    TimingLaw.breaches(reader).forEach(breach -> report(reader, breach));
    warnOfOneSlowHeartbeat(reader);
    return () -> new TimingConfig(reader);
  }

  public Duration takeoverAfter() {
    return get(TAKEOVER_AFTER);
  }

  /**
   * Reports a broken constraint, unless one of its keys was refused: the check then saw the key's
   * default, which is not in the file.
   */
  private static void report(SectionReader reader, TimingLaw.Breach breach) {
    if (breach.settings().stream().anyMatch(reader::refused)) {
      return;
    }
    Setting<Duration> shownAt =
        breach.settings().stream().filter(reader::has).findFirst().orElse(breach.settings().get(0));
    reader.error(shownAt, breach.what(), breach.help());
  }

  private static void warnOfOneSlowHeartbeat(SectionReader reader) {
    Duration heartbeat = reader.value(HEARTBEAT);
    Duration lease = reader.value(LEASE);
    Duration networkTimeout = reader.value(NETWORK_TIMEOUT);
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
