package dev.recorder.app.cli;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a moment on the command line; one without a zone might mean either host's. */
final class TimeConverter implements ITypeConverter<Instant> {
  @Override
  public Instant convert(String text) {
    try {
      return OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeException bad) {
      throw new TypeConversionException(
          "'"
              + text
              + "' is not a time with its zone; write it as 2026-01-02T03:04:05Z or"
              + " 2026-01-02T04:04:05.678+01:00");
    }
  }
}
