package dev.recorder.app.cli.command;

import dev.recorder.app.config.value.DurationText;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts durations in the form of the configuration file. */
public final class DurationConverter implements ITypeConverter<Duration> {
  @Override
  public Duration convert(String text) {
    try {
      return DurationText.parse(text);
    } catch (IllegalArgumentException bad) {
      throw new TypeConversionException(
          "'" + text + "' is not a duration; write 500ms, 10s, 5m, 24h or 7d, with the unit");
    }
  }
}
