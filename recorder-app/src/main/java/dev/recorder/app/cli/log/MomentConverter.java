package dev.recorder.app.cli.log;

import dev.recorder.reader.LogMoment;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a moment of a log. A time needs its zone, since hosts may be in different zones. */
final class MomentConverter implements ITypeConverter<LogMoment> {
  static final String LABEL = "TIME|SLOT|xid:XID";

  @Override
  public LogMoment convert(String text) {
    try {
      return LogMoment.parse(text);
    } catch (IllegalArgumentException bad) {
      throw new TypeConversionException(
          "'"
              + text
              + "' is no moment; write a time with its zone, such as 2026-01-02T03:04:05Z, a slot,"
              + " such as 17, or a transaction, such as xid:4711");
    }
  }
}
