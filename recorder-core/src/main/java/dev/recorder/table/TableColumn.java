package dev.recorder.table;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A typed column, with values from the payload.
 *
 * @param source where the values are in the payload
 */
public record TableColumn(String name, ValueSource source, ColumnType type) {
  private static final Pattern FORM =
      Pattern.compile("\\s*([A-Za-z_][A-Za-z0-9_]{0,62})\\s*:\\s*(\\S+)\\s+(\\S.*?)\\s*");

  /**
   * Parses a column such as {@code amount:$.amount decimal(18,2)}.
   *
   * @throws IllegalArgumentException if the text is no such column
   */
  static TableColumn parse(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw new IllegalArgumentException(
          "'%s' is not a column like amount:$.amount decimal(18,2)".formatted(text.strip()));
    }
    return new TableColumn(
        form.group(1), JsonPath.parse(form.group(2)), ColumnType.parse(form.group(3)));
  }

  @Override
  public String toString() {
    return name + ":" + source.text() + " " + type;
  }
}
