package dev.recorder.capture.script;

import dev.recorder.postgres.sql.SqlTemplate;
import java.util.Map;

/** The columns that a rule's expressions name, each as a text that changes with the column. */
public final class NamedColumns {
  private static final String TEXT = "format('%s %s', {column}.attnum, {rest})";

  /** Includes the collation, which determines equality and order of values. */
  private static final String REST =
      "concat_ws(' ', {column}.attname, {column}.atttypid, {collation})";

  /** Ignores numbers after a restore from a dump, which changes them. */
  private static final String ARE_THERE =
      """
      NOT EXISTS (SELECT FROM unnest({named}) AS named
            WHERE NOT EXISTS (SELECT FROM pg_attribute AS a
              WHERE a.attrelid = {relation} AND a.attnum > 0 AND NOT a.attisdropped
                AND substr(named, strpos(named, ' ') + 1) = {rest}
                AND ({relation} <> {captured} OR split_part(named, ' ', 1) = a.attnum::text)))""";

  private NamedColumns() {}

  /**
   * Returns an SQL expression for the text of a column: its number, name and type, and its
   * collation unless it is the default.
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
   * Returns the SQL condition that a relation has these columns.
   *
   * @param named SQL expression of an array of the columns' texts
   * @param captured SQL expression of the oid of the relation from which the texts were read
   */
  public static String areThere(String named, String relation, String captured) {
    return SqlTemplate.fill(
        ARE_THERE,
        Map.of("named", named, "relation", relation, "captured", captured, "rest", rest("a")));
  }
}
