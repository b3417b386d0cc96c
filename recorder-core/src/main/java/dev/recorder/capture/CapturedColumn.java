package dev.recorder.capture;

import java.util.Locale;

/**
 * A column of a captured table.
 *
 * @param number its number in the catalog, which no other column of the table ever gets
 * @param encoding pattern of {@link String#format} and SQL's {@code format} alike: a reference to
 *     the column becomes an expression that {@code row_to_json} writes as documented
 * @param keyPosition place in the table's key, from 1; 0 if it does not belong to it
 */
public record CapturedColumn(int number, String name, String encoding, int keyPosition) {

  /** Its name within the generated statements, where users' names would be in the way. */
  public String alias() {
    return "c" + number;
  }

  /** The expression that it is written by. */
  public String encoded(String reference) {
    return String.format(Locale.ROOT, encoding, reference);
  }

  public boolean isKey() {
    return keyPosition > 0;
  }
}
