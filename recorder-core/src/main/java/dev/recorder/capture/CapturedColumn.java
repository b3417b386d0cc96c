package dev.recorder.capture;

import java.util.Locale;

/**
 * A column of a captured table.
 *
 * @param number its number in the catalog, which no other column of the table ever gets
 * @param encoding pattern of {@link String#format} and SQL's {@code format} alike: a reference to
 *     the column becomes an expression that {@code row_to_json} writes as documented
 * @param collation SQL behind a value that is compared with another; empty for types without one
 * @param keyPosition place in the table's key, from 1; 0 if it does not belong to it
 */
public record CapturedColumn(
    int number, String name, String encoding, String collation, int keyPosition) {

  /** Its name within the generated statements, where users' names would be in the way. */
  public String alias() {
    return "c" + number;
  }

  /** The expression that it is written by. */
  public String encoded(String reference) {
    return String.format(Locale.ROOT, encoding, reference);
  }

  /** Whether two values of it are the same, given that they are called so. */
  public String same(String one, String other) {
    return one + " IS NOT DISTINCT FROM " + other + collation;
  }

  public boolean isKey() {
    return keyPosition > 0;
  }
}
