package dev.recorder.app.config;

import dev.recorder.app.config.host.TimingConfig;
import dev.recorder.app.config.ini.SectionReader;
import dev.recorder.app.config.ini.Setting;
import dev.recorder.app.config.recorder.RecorderSectionKeys;
import dev.recorder.app.config.value.ByteSize;
import dev.recorder.app.config.value.DurationText;
import dev.recorder.app.config.value.RecorderKindWord;
import java.time.Duration;
import java.util.Map;

/**
 * Whether the largest object can be sent within {@code s3_attempt_timeout} at {@value
 * #BYTES_A_SECOND} bytes a second, the least a way to S3 is expected to carry. One that cannot is
 * sent again and again, and nothing comes after it.
 */
final class SendingTime {
  /** 1 MB/s. */
  static final long BYTES_A_SECOND = 1_000_000;

  private SendingTime() {}

  /** About one recorder; objects are taken to be incompressible, as some payloads are. */
  static void check(SectionReader recorder, SectionReader timing) {
    Duration limit = timing.value(TimingConfig.S3_ATTEMPT_TIMEOUT);
    ByteSize payload = recorder.value(RecorderSectionKeys.MAX_PAYLOAD);
    boolean log = recorder.value(RecorderSectionKeys.KIND) == RecorderKindWord.LOG;
    ByteSize rotation = log ? recorder.value(RecorderSectionKeys.ROTATE_BYTES) : payload;
    // An object is closed before it passes rotate_bytes, unless a single row does.
    boolean ofOneRow = rotation.compareTo(payload) <= 0;
    Setting<ByteSize> largest =
        ofOneRow ? RecorderSectionKeys.MAX_PAYLOAD : RecorderSectionKeys.ROTATE_BYTES;
    long seconds = secondsFor(ofOneRow ? payload : rotation);
    if (seconds > limit.toSeconds()) {
      warn(recorder, timing, Map.entry(largest, ofOneRow ? payload : rotation), seconds);
    }
  }

  private static long secondsFor(ByteSize size) {
    return (size.bytes() + BYTES_A_SECOND - 1) / BYTES_A_SECOND;
  }

  private static void warn(
      SectionReader recorder,
      SectionReader timing,
      Map.Entry<Setting<ByteSize>, ByteSize> largest,
      long seconds) {
    Setting<Duration> timeout = TimingConfig.S3_ATTEMPT_TIMEOUT;
    String what =
        "an object of %s %s takes %d s at 1 MB/s, and s3_attempt_timeout is %s: over such a connection it is never written, nor is what comes after it"
            .formatted(
                largest.getKey().key(),
                largest.getValue(),
                seconds,
                DurationText.format(timing.value(timeout)));
    String help =
        "write s3_attempt_timeout of at least %ds, or %s smaller"
            .formatted(seconds, largest.getKey().key());
    if (recorder.has(largest.getKey()) || !timing.has(timeout)) {
      recorder.warning(largest.getKey(), what, help);
    } else {
      timing.warning(timeout, what, help);
    }
  }
}
