package dev.recorder.app.cli.command;

import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts numbers from 1, such as slots, ids and tokens. */
public final class WholeNumber implements ITypeConverter<Long> {
  private static final Pattern FORM = Pattern.compile("0*[1-9][0-9]{0,17}");

  @Override
  public Long convert(String text) {
    if (!FORM.matcher(text).matches()) {
      throw new TypeConversionException("'" + text + "' is not a whole number of 1 or more");
    }
    return Long.valueOf(text);
  }
}
