package dev.recorder.app.config.ini;

import dev.recorder.app.config.value.ByteSize;
import dev.recorder.app.config.value.CaptureTables;
import dev.recorder.app.config.value.ColumnNames;
import dev.recorder.app.config.value.DurationText;
import dev.recorder.app.config.value.History;
import dev.recorder.app.config.value.LingerSetting;
import dev.recorder.app.config.value.ObjectTags;
import dev.recorder.app.config.value.Secret;
import dev.recorder.table.TableColumns;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.apache.commons.configuration2.convert.DefaultConversionHandler;
import org.apache.commons.configuration2.ex.ConversionException;
import org.apache.commons.configuration2.interpol.ConfigurationInterpolator;

/**
 * Converts values to the types of settings. The library converts the other types (URI, text). Whole
 * numbers and booleans are stricter than in the library, which also takes {@code 0x1F}, {@code on}
 * or {@code y}: with one spelling, the files of two hosts are easier to compare.
 */
final class IniConversion extends DefaultConversionHandler {
  private static final Pattern WHOLE_NUMBER = Pattern.compile("-?[0-9]+");

  private static final Map<Class<?>, Function<String, ?>> CONVERSIONS =
      Map.ofEntries(
          Map.entry(Duration.class, DurationText::parse),
          Map.entry(ByteSize.class, ByteSize::parse),
          Map.entry(History.class, History::parse),
          Map.entry(LingerSetting.class, LingerSetting::parse),
          Map.entry(Path.class, IniConversion::path),
          Map.entry(Boolean.class, IniConversion::flag),
          Map.entry(Integer.class, IniConversion::wholeNumber),
          Map.entry(CaptureTables.class, CaptureTables::parse),
          Map.entry(ColumnNames.class, ColumnNames::parse),
          Map.entry(ObjectTags.class, ObjectTags::parse),
          Map.entry(TableColumns.class, TableColumns::parse),
          Map.entry(Secret.class, Secret::new));

  @Override
  protected <T> T convertValue(
      Object source, Class<T> target, ConfigurationInterpolator interpolator) {
    String text = source.toString();
    try {
      Function<String, ?> conversion = CONVERSIONS.get(target);
      if (conversion != null) {
        return target.cast(conversion.apply(text));
      }
      if (target.isEnum()) {
        return word(text, target);
      }
    } catch (IllegalArgumentException wrong) {
      throw new ConversionException(wrong.getMessage(), wrong);
    }
    return super.convertValue(source, target, interpolator);
  }

  private static Integer wholeNumber(String text) {
    if (!WHOLE_NUMBER.matcher(text).matches()) {
      throw new IllegalArgumentException("not a whole number");
    }
    // A number that overflows is still a number: the range check reports it.
    BigInteger number = new BigInteger(text);
    return number.bitLength() < Integer.SIZE
        ? number.intValue()
        : number.signum() < 0 ? Integer.MIN_VALUE : Integer.MAX_VALUE;
  }

  /**
   * Refuses an empty text, which {@link Path#of} takes for the current folder. With LANG=C, {@link
   * Path#of} refuses all characters but ASCII.
   */
  private static Path path(String text) {
    if (text.isEmpty()) {
      throw new IllegalArgumentException("not a path");
    }
    return Path.of(text);
  }

  private static Boolean flag(String text) {
    return switch (text) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new IllegalArgumentException("neither true nor false");
    };
  }

  private static <T> T word(String text, Class<T> target) {
    for (T constant : target.getEnumConstants()) {
      if (Setting.write(constant).equals(text)) {
        return constant;
      }
    }
    throw new IllegalArgumentException("not one of the words");
  }
}
