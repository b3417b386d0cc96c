package dev.recorder.capture.script;

import dev.recorder.capture.CaptureRule;
import dev.recorder.capture.RowExpression;
import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.SqlTemplate;
import dev.recorder.sqltext.SqlPiece;
import dev.recorder.sqltext.SqlScanner;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * What says whose documents a row belongs to: an SQL expression over the row, or a whole query,
 * with or without parentheses around it, which may yield several ids, or none.
 *
 * <p>Expects what {@link RowExpression} has no fault in.
 */
public final class EntityExpression {
  private static final Set<String> QUERIES = Set.of("SELECT", "WITH", "VALUES", "TABLE");
  private static final Set<String> JOINS = Set.of("UNION", "INTERSECT", "EXCEPT");

  private static final String OF_ROWS =
      """
      SELECT "recorder entity".* FROM {rows} AS {row}
          CROSS JOIN LATERAL ({query}) AS "recorder entity" WHERE {condition}""";

  private static final String READ =
      """
      coalesce((SELECT string_agg(format(
            '(r.v ->> %s)::%s AS %I', w.place - 1, format_type(a.atttypid, a.atttypmod), w.name),
            ', ' ORDER BY w.place)
          FROM unnest({columns}::text[]) WITH ORDINALITY AS w (name, place)
          JOIN pg_attribute AS a ON a.attrelid = {relation} AND a.attname = w.name), '')""";

  private EntityExpression() {}

  /**
   * How the columns of a row are read out of an array in JSON, as an SQL expression.
   *
   * @param relation SQL expression of the table's oid
   * @param columns SQL of an array of their names
   */
  public static String read(String relation, String columns) {
    return SqlTemplate.fill(READ, Map.of("relation", relation, "columns", columns));
  }

  /**
   * A query of the entities that rows name, with an id each.
   *
   * @param rows what stands behind FROM; each of them is called as the table is
   */
  public static String ofRows(CaptureRule rule, String rows) {
    String when = rule.options().when();
    return SqlTemplate.fill(
        OF_ROWS,
        Map.of(
            "rows",
            rows,
            "row",
            Quoted.identifier(rule.table().name()),
            "query",
            query(Objects.requireNonNull(rule.options().entity(), "entity")),
            "condition",
            when == null ? "true" : Fragments.isTrue(when)));
  }

  /** The same as a query, to stand between parentheses. */
  static String query(String expression) {
    String text = expression.strip();
    return isQuery(text)
        ? text
        : SqlTemplate.fill("SELECT {expression}", Map.of("expression", text));
  }

  private static boolean isQuery(String text) {
    if (!text.startsWith("(")) {
      return QUERIES.contains(firstWord(text));
    }
    int end = closing(text);
    String behind = text.substring(end + 1).strip();
    return isQuery(text.substring(1, end).strip())
        && (behind.isEmpty() || JOINS.contains(firstWord(behind)));
  }

  private static String firstWord(String text) {
    int end = 0;
    while (end < text.length() && Character.isLetter(text.charAt(end))) {
      end++;
    }
    return text.substring(0, end).toUpperCase(Locale.ROOT);
  }

  /** Index of the parenthesis closing the first one. */
  private static int closing(String text) {
    int depth = 0;
    for (SqlPiece piece : SqlScanner.pieces(text)) {
      if (piece.is('(')) {
        depth++;
      } else if (piece.is(')') && --depth == 0) {
        return piece.at();
      }
    }
    throw new IllegalArgumentException("a parenthesis is not closed");
  }
}
