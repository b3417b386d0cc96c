package dev.recorder.app.config;

import dev.recorder.app.config.host.TimingConfig;
import dev.recorder.app.config.ini.SectionReader;
import dev.recorder.app.config.ini.Setting;
import dev.recorder.app.config.recorder.RecorderSectionKeys;
import dev.recorder.app.config.value.ByteSize;
import dev.recorder.app.config.value.DurationText;
import dev.recorder.handoff.RecorderKind;
import java.time.Duration;

/**
 * Checks that the largest possible object can be sent within {@code s3_attempt_timeout} at {@value
 * #BYTES_A_SECOND} bytes a second, the slowest connection expected. Sending a larger object would
 * be repeated forever, and would block all later objects.
 */
final class SendingTime {
  static final long BYTES_A_SECOND = 1_000_000;

  private SendingTime() {}

  /**
   * Warns if the largest object takes too long. Assumes that objects cannot be compressed, since
   * some payloads cannot.
   */
  static void check(SectionReader recorder, SectionReader timing) {
    boolean log = recorder.value(RecorderSectionKeys.KIND) == RecorderKind.LOG;
    // A slot ends before it exceeds rotate_bytes, unless a single row exceeds them.
    Setting<ByteSize> largest =
        log && isLarger(RecorderSectionKeys.ROTATE_BYTES, RecorderSectionKeys.MAX_PAYLOAD, recorder)
            ? RecorderSectionKeys.ROTATE_BYTES
            : RecorderSectionKeys.MAX_PAYLOAD;
    long bytes = recorder.value(largest).bytes();
    long seconds = (bytes + BYTES_A_SECOND - 1) / BYTES_A_SECOND;
    if (seconds > timing.value(TimingConfig.S3_ATTEMPT_TIMEOUT).toSeconds()) {
      warn(recorder, timing, largest, seconds);
    }
  }

  private static boolean isLarger(
      Setting<ByteSize> one, Setting<ByteSize> other, SectionReader recorder) {
    return recorder.value(one).compareTo(recorder.value(other)) > 0;
  }

  private static void warn(
      SectionReader recorder, SectionReader timing, Setting<ByteSize> largest, long seconds) {
    Setting<Duration> timeout = TimingConfig.S3_ATTEMPT_TIMEOUT;
    String what =
        "an object of %s %s takes %d s at 1 MB/s, and s3_attempt_timeout is %s: over such a connection it is never written, nor is what comes after it"
            .formatted(
                largest.key(),
                recorder.value(largest),
                seconds,
                DurationText.format(timing.value(timeout)));
    String help =
        "write s3_attempt_timeout of at least %ds, or %s smaller".formatted(seconds, largest.key());
    if (recorder.has(largest) || !timing.has(timeout)) {
      recorder.warning(largest, what, help);
    } else {
      timing.warning(timeout, what, help);
    }
  }
}
