package dev.recorder.capture;

import java.util.Locale;

/**
 * A column of a captured table.
 *
 * @param number its number in the catalog, which no other column of the table ever has
 * @param encoding pattern for {@link String#format} and for SQL's {@code format}: turns a reference
 *     to the column into an expression that {@code row_to_json} writes in the documented form
 * @param collation COLLATE clause to append when two values are compared; empty for types without a
 *     collation
 * @param keyPosition place in the table's key, from 1; 0 if the column is not in the key
 */
public record CapturedColumn(
    int number, String name, String encoding, String collation, int keyPosition) {

  /** Returns the column's name within generated statements, where a user's name could clash. */
  public String alias() {
    return "c" + number;
  }

  /** Returns the SQL expression that writes the column. */
  public String encoded(String reference) {
    return String.format(Locale.ROOT, encoding, reference);
  }

  /** Returns the SQL condition that two references have the same value of this column. */
  public String same(String one, String other) {
    return one + " IS NOT DISTINCT FROM " + other + collation;
  }

  public boolean isKey() {
    return keyPosition > 0;
  }
}
