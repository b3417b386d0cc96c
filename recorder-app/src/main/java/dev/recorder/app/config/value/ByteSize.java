package dev.recorder.app.config.value;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A number of bytes: {@code 8MiB}, {@code 16KiB}, {@code 1GiB} or a plain number. */
public record ByteSize(long bytes) implements Comparable<ByteSize> {
  private static final Pattern FORM = Pattern.compile("([0-9]{1,9})(KiB|MiB|GiB)?");

  public ByteSize {
    if (bytes < 0) {
      throw new IllegalArgumentException("negative size " + bytes);
    }
  }

  public static ByteSize parse(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw new IllegalArgumentException("not a size");
    }
    String unit = form.group(2);
    int shift = unit == null ? 0 : 10 * (1 + "KMG".indexOf(unit.charAt(0)));
    return new ByteSize(Long.parseLong(form.group(1)) << shift);
  }

  @Override
  public int compareTo(ByteSize other) {
    return Long.compare(bytes, other.bytes);
  }

  /** Returns the size in the largest unit without a remainder. */
  @Override
  public String toString() {
    String[] units = {"", "KiB", "MiB", "GiB"};
    long count = bytes;
    int unit = 0;
    while (count != 0 && count % 1024 == 0 && unit < units.length - 1) {
      count /= 1024;
      unit++;
    }
    return count + units[unit];
  }
}
