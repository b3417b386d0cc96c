package dev.recorder.app.logs;

import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Writes log lines in the pattern of logback.xml, or as JSON. Public, since Logback creates it. */
public final class LogLineEncoder extends PatternLayoutEncoder {
  private volatile @Nullable JsonLine json;

  /**
   * Sets the format.
   *
   * @param json null for text
   */
  void use(@Nullable JsonLine json) {
    this.json = json;
  }

  @Override
  public byte[] encode(ILoggingEvent event) {
    JsonLine format = json;
    return format == null
        ? super.encode(event)
        : (format.of(event) + "\n").getBytes(StandardCharsets.UTF_8);
  }
}
