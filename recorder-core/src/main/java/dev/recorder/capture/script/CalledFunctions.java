package dev.recorder.capture.script;

import dev.recorder.postgres.sql.SqlTemplate;
import java.util.Map;

/**
 * Marks of the users' functions that a rule's expressions call, in the form of {@link ValueMarks}:
 * {@code p} with the name, and a hash of the body. If the body changes, a condition may have
 * another value for an old row than when the row was inserted.
 */
public final class CalledFunctions {
  private static final String NAME = "'p' || replace(p.oid::regprocedure::text, ' ', '')";

  private static final String MARK =
      """
      concat_ws(' ', {name}, encode(sha256(convert_to(concat_ws(' ', p.prosrc, p.probin,
            pg_get_function_sqlbody(p.oid), p.proconfig), 'UTF8')), 'base64'))""";

  /** Functions that the called functions call in turn are not found. */
  private static final String CALLED =
      """
      ARRAY(SELECT DISTINCT {mark}
            FROM pg_rewrite AS r
            CROSS JOIN regexp_matches(r.ev_action::text, ':(?:op)?funcid (\\d+)', 'g') AS m
            JOIN pg_proc AS p ON p.oid = m[1]::oid
            WHERE r.ev_class = {view} AND p.oid >= {first_of_users})""";

  private static final String CHANGED =
      """
      (SELECT string_agg(p.oid::regprocedure::text, ', ')
            FROM unnest({marks}) AS was (mark)
            JOIN pg_proc AS p ON split_part(was.mark, ' ', 1) = {name}
            WHERE was.mark LIKE 'p%' AND p.oid >= {first_of_users} AND was.mark <> {mark})""";

  private CalledFunctions() {}

  /**
   * Returns an SQL expression for the marks of the functions that a view's query calls.
   *
   * @param view SQL expression of the view's oid
   */
  public static String of(String view) {
    return SqlTemplate.fill(
        CALLED, Map.of("view", view, "mark", mark(), "first_of_users", ColumnQuery.FIRST_OF_USERS));
  }

  /**
   * Returns an SQL expression for the names of the functions whose body has changed; NULL if there
   * are none.
   *
   * @param marks SQL expression of the earlier marks
   */
  public static String changed(String marks) {
    return SqlTemplate.fill(
        CHANGED,
        Map.of(
            "marks",
            marks,
            "name",
            NAME,
            "mark",
            mark(),
            "first_of_users",
            ColumnQuery.FIRST_OF_USERS));
  }

  private static String mark() {
    return SqlTemplate.fill(MARK, Map.of("name", NAME));
  }
}
