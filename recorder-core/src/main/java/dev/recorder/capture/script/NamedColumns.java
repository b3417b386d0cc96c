package dev.recorder.capture.script;

import dev.recorder.postgres.sql.SqlTemplate;
import java.util.Map;

/** The columns that expressions of a rule name, each as one text that is another for another. */
public final class NamedColumns {
  private static final String TEXT = "format('%s %s', {column}.attnum, {rest})";

  /** By another collation other values are equal, or in another order. */
  private static final String REST =
      "concat_ws(' ', {column}.attname, {column}.atttypid, {collation})";

  /** After a restore from a dump numbers are others. */
  private static final String ARE_THERE =
      """
      NOT EXISTS (SELECT FROM unnest({named}) AS named
            WHERE NOT EXISTS (SELECT FROM pg_attribute AS a
              WHERE a.attrelid = {relation} AND a.attnum > 0 AND NOT a.attisdropped
                AND substr(named, strpos(named, ' ') + 1) = {rest}
                AND ({relation} <> {captured} OR split_part(named, ' ', 1) = a.attnum::text)))""";

  private NamedColumns() {}

  /**
   * The text of a column as an SQL expression: its number, name and type, and its collation unless
   * it is the usual one.
   *
   * @param column alias of its row of {@code pg_attribute}
   */
  public static String text(String column) {
    return SqlTemplate.fill(TEXT, Map.of("column", column, "rest", rest(column)));
  }

  private static String rest(String column) {
    return SqlTemplate.fill(
        REST, Map.of("column", column, "collation", ColumnQuery.collation(column)));
  }

  /**
   * Whether a relation has them, as an SQL expression.
   *
   * @param named SQL expression of an array of their texts
   * @param captured SQL expression of the oid of the relation that they were read of
   */
  public static String areThere(String named, String relation, String captured) {
    return SqlTemplate.fill(
        ARE_THERE,
        Map.of("named", named, "relation", relation, "captured", captured, "rest", rest("a")));
  }
}
