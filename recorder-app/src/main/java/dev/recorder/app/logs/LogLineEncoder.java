package dev.recorder.app.logs;

import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Writes lines as the pattern in logback.xml has them until it is told to write JSON, and again
 * from when it is told to write text. Public for Logback, which makes it.
 */
public final class LogLineEncoder extends PatternLayoutEncoder {
  private volatile @Nullable JsonLine json;

  /** Writes such lines from now on; null for text. */
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
