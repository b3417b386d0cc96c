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
 * SQL made of {@code --entity}: an SQL expression over a row, or a whole query with or without
 * parentheses, which may yield several ids or none. The ids are the entities whose documents the
 * row belongs to.
 *
 * <p>Expects a text in which {@link RowExpression} has found no fault.
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
   * For the captured table only column names are included, since its rows go by the table's name in
   * the log. Names are in hexadecimal digits, so that they cannot contain a separator.
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

  /** The server answers from its caches, which show the present state at every isolation level. */
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
   * Returns a query for the columns and tables that an expression refers to, as the text of an
   * array.
   *
   * @param relation SQL expression of the captured table's oid
   * @param named query of oids of relations and numbers of their columns; 0 for a table itself
   */
  public static String meant(String relation, String named) {
    return SqlTemplate.fill(MEANT, Map.of("relation", relation, "named", named));
  }

  /**
   * Returns an SQL expression for the names that now belong to another object, or to none; NULL if
   * there are no such names.
   *
   * @param relation SQL expression of the captured table's oid
   * @param meant SQL expression of the array of {@link #meant}
   */
  public static String unmet(String relation, String meant) {
    return SqlTemplate.fill(UNMET, Map.of("relation", relation, "meant", meant));
  }

  /**
   * Returns the declaration by which the triggers' function contains the result of {@link #meant}.
   */
  static String declaration(String meant) {
    return SqlTemplate.fill("meant text[] := {meant};", Map.of("meant", Quoted.literal(meant)));
  }

  private static final String MEANT_BY =
      """
      substring({function} FROM 'meant text\\[\\] := ''([^'']*)''')::text[]""";

  /**
   * Returns an SQL expression that reads the result of {@link #meant} from a triggers' function;
   * NULL if the function has no such declaration.
   *
   * @param function SQL expression of the function's text
   */
  public static String meantBy(String function) {
    return SqlTemplate.fill(MEANT_BY, Map.of("function", function));
  }

  /**
   * Returns an SQL expression for the SQL that reads a row's columns from a JSON array.
   *
   * @param relation SQL expression of the table's oid
   * @param columns SQL of an array of the columns' names
   */
  public static String read(String relation, String columns) {
    return SqlTemplate.fill(READ, Map.of("relation", relation, "columns", columns));
  }

  /**
   * Returns a query for the entities of rows, one id each.
   *
   * @param rows SQL to follow FROM; each row gets the table's name as alias
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

  /** Returns an expression as a query, to stand between parentheses. */
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

  /** Returns the index of the parenthesis that closes the first one. */
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
