package dev.recorder.app.cli.lock;

import dev.recorder.app.cli.command.DurationConverter;
import dev.recorder.lock.postgres.Cadence;
import dev.recorder.lock.postgres.CalendarUnit;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts how often a lock may be taken: {@code 24h}, or {@code day@Europe/Berlin}. */
final class CadenceConverter implements ITypeConverter<Cadence> {
  @Override
  public Cadence convert(String text) {
    String[] parts = text.split("@", 2);
    Optional<CalendarUnit> unit =
        Arrays.stream(CalendarUnit.values()).filter(each -> word(each).equals(parts[0])).findAny();
    try {
      return unit.isPresent()
          ? Cadence.each(unit.get(), zone(text, parts))
          : Cadence.every(new DurationConverter().convert(text));
    } catch (DateTimeException | IllegalArgumentException bad) {
      throw new TypeConversionException("'" + text + "': " + bad.getMessage());
    }
  }

  private static ZoneId zone(String text, String[] parts) {
    if (parts.length < 2) {
      throw new TypeConversionException(
          "'%s' needs a time zone: write %1$s@Europe/Berlin or %1$s@UTC".formatted(text));
    }
    return ZoneId.of(parts[1]);
  }

  private static String word(CalendarUnit unit) {
    return unit.name().toLowerCase(Locale.ROOT);
  }
}
