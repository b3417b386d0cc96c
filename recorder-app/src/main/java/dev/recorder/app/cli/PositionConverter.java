package dev.recorder.app.cli;

import dev.recorder.reader.ReaderPosition;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a reader's position on the command line. */
final class PositionConverter implements ITypeConverter<ReaderPosition> {
  @Override
  public ReaderPosition convert(String text) {
    try {
      return ReaderPosition.parse(text);
    } catch (IllegalArgumentException bad) {
      throw new TypeConversionException(
          "'"
              + text
              + "' is not a position; write a slot, such as 17, or a slot and a row of it,"
              + " such as 17:204; both count from 1");
    }
  }
}
