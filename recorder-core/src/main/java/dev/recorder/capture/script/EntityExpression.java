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

  /**
   * Names of the captured table are those of its columns alone, since a row is called what the
   * table is in the log. In hexadecimal digits, so that no name is in the way of what divides them.
   */
  private static final String MEANT =
      """
      SELECT array_agg(concat_ws(':', CASE WHEN m.relation = {relation} AND m.number > 0 THEN 0
            ELSE m.relation END, m.number, encode(convert_to(CASE
              WHEN m.relation = {relation} AND m.number > 0 THEN i.object_names[3]
              ELSE array_to_string(i.object_names, '.') END, 'UTF8'), 'hex'))
          ORDER BY m.relation, m.number)::text
      FROM ({named}) AS m (relation, number)
      CROSS JOIN LATERAL pg_identify_object_as_address('pg_class'::regclass, m.relation, m.number)
        AS i""";

  /** The server answers from its caches, which are of the present at any level of isolation. */
  private static final String UNMET =
      """
      (SELECT string_agg(convert_from(decode(m.part[3], 'hex'), 'UTF8'), ', ')
          FROM (SELECT string_to_array(one, ':') FROM unnest({meant}) AS one) AS m (part)
          WHERE encode(convert_to(CASE m.part[1] WHEN '0'
              THEN (pg_identify_object_as_address('pg_class'::regclass, {relation},
                m.part[2]::int)).object_names[3]
              ELSE array_to_string((pg_identify_object_as_address('pg_class'::regclass,
                m.part[1]::oid, m.part[2]::int)).object_names, '.') END, 'UTF8'), 'hex')
            IS DISTINCT FROM m.part[3])""";

  private EntityExpression() {}

  /**
   * A query for what an expression means, as the text of an array.
   *
   * @param relation SQL expression of the captured table's oid
   * @param named query of oids of relations and numbers of their columns; 0 for a table itself
   */
  public static String meant(String relation, String named) {
    return SqlTemplate.fill(MEANT, Map.of("relation", relation, "named", named));
  }

  /**
   * An SQL expression for those names by which something else is called by now, or nothing; null if
   * there are none.
   *
   * @param relation SQL expression of the captured table's oid
   * @param meant SQL expression of such an array
   */
  public static String unmet(String relation, String meant) {
    return SqlTemplate.fill(UNMET, Map.of("relation", relation, "meant", meant));
  }

  /** How the triggers' function has what {@link #meant} gave. */
  static String declaration(String meant) {
    return SqlTemplate.fill("meant text[] := {meant};", Map.of("meant", Quoted.literal(meant)));
  }

  private static final String MEANT_BY =
      """
      substring({function} FROM 'meant text\\[\\] := ''([^'']*)''')::text[]""";

  /**
   * An SQL expression for what a triggers' function was made for; null if it does not know.
   *
   * @param function SQL expression of its text
   */
  public static String meantBy(String function) {
    return SqlTemplate.fill(MEANT_BY, Map.of("function", function));
  }

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
