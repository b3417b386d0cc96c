package dev.recorder.handoff;

import java.util.regex.Pattern;

/**
 * The name of a recorder, which is also the name of its hand-off table and of a folder in S3. Only
 * names that are safe in all three places are allowed.
 */
public record RecorderName(String value) {
  private static final Pattern FORM = Pattern.compile("[a-z][a-z0-9_]{0,39}");

  public RecorderName {
    if (!FORM.matcher(value).matches()) {
      throw new IllegalArgumentException(
          "recorder name '" + value + "' is not of the form " + FORM.pattern());
    }
  }

  @Override
  public String toString() {
    return value;
  }
}
