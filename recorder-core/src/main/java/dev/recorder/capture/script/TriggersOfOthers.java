package dev.recorder.capture.script;

import dev.recorder.postgres.sql.SqlTemplate;
import java.util.Map;

/**
 * The finding that a trigger of others may change rows of a statement before the capture's trigger
 * has written that statement into the log. The log then has the later change first, and copies end
 * with the row as it was before.
 *
 * <p>The server fires row triggers before statement triggers, and triggers of one kind in the order
 * of their names. Foreign keys are the server's own triggers, whose changes are part of the
 * statement. Deferred triggers fire at the end of the transaction. Row triggers are common, so only
 * those are reported whose function's text names the table that it changes. A function that the
 * statement itself calls cannot be found.
 *
 * <p>Another finding: a trigger of a partitioned table that fires after the trigger that counts
 * rows moved by MERGE may change a row's partition key. The move is then neither captured nor
 * noticed.
 */
public final class TriggersOfOthers {
  /** SQL condition: by its text, the function {@code f} changes rows of the table {@code r}. */
  public static final String CHANGES =
      """
      f.prosrc ~* concat('\\m(update|delete\\s+from|merge\\s+into)\\s+(only\\s+)?(\\S+\\.)?"?',
                regexp_replace(r.relname, '\\W', '.', 'g'), '("|\\W|$)',
                '|\\minsert\\s+into\\s+(\\S+\\.)?"?',
                regexp_replace(r.relname, '\\W', '.', 'g'), '("|\\W).*\\mdo\\s+update\\M')""";

  private TriggersOfOthers() {}

  /**
   * Returns the query for the findings, over {@code armed} and {@code tree}: captures and the
   * tables of each.
   *
   * @param control SQL literal of the schema with the functions of captures
   */
  public static String finding(String control) {
    return SqlTemplate.fill(
        FINDING,
        Map.of(
            "control", control,
            "row", "1",
            "before", "2",
            "update", "16",
            "instead", "64",
            "rows_change", "28",
            "has_merge", RowTriggers.HAS_MERGE,
            "changes", CHANGES,
            "counts", RowTriggers.last("recorder")));
  }

  private static final String FINDING =
      """
      SELECT recorder, captured, false, format('trigger %1$I on %2$s %3$s: if it changes rows of the'
          ' statement that fires it, the log has that before the statement, and copies keep the rows'
          ' as they were: %4$s; then %5$s', tgname, tgrelid::regclass,
          CASE WHEN is_of_rows THEN 'is for each row, and its function changes that table'
            ELSE 'comes before those of the capture by its name' END,
          CASE WHEN is_of_rows THEN 'change NEW in a BEFORE trigger, and other rows in an AFTER'
              ' trigger for each statement with a name behind 00_recorder_'
            ELSE format('ALTER TRIGGER %1$I ON %2$s RENAME TO %3$I', tgname, tgrelid::regclass,
              'zz_' || tgname) END,
          afterwards), NULL::bigint, NULL::bigint
        FROM (
          SELECT t.recorder, t.captured, t.afterwards, g.tgname, g.tgrelid,
            g.tgtype & {row} <> 0 AS is_of_rows
          FROM tree AS t JOIN armed AS a USING (recorder, captured)
          JOIN pg_trigger AS g ON g.tgrelid = t.below AND NOT g.tgisinternal AND g.tgparentid = 0
            AND g.tgenabled IN ('O', 'A') AND NOT g.tginitdeferred AND g.tgtype & {instead} = 0
            AND (g.tgtype & {row} <> 0 OR g.tgtype & {before} = 0)
          JOIN pg_proc AS f ON f.oid = g.tgfoid AND f.pronamespace <> {control}::regnamespace
          WHERE a.entity_sql IS NULL AND CASE WHEN g.tgtype & {row} = 0
            THEN EXISTS (SELECT FROM pg_trigger AS ours WHERE ours.tgrelid = g.tgrelid
              AND ours.tgfoid = t.function AND ours.tgtype & g.tgtype & {rows_change} <> 0
              AND g.tgname < ours.tgname)
            ELSE EXISTS (SELECT FROM pg_class AS r WHERE r.oid IN (t.root, t.below)
              AND {changes}) END) AS early
      UNION ALL
      SELECT recorder, captured, false, format('trigger %1$I on %2$s comes behind %3$I by its name: a'
          ' row that MERGE moves to another partition because of it is not captured, and nothing finds'
          ' it: ALTER TRIGGER %1$I ON %2$s RENAME TO %4$I; then %5$s', g.tgname,
          g.tgrelid::regclass, {counts}, 'a_' || g.tgname, afterwards), NULL, NULL
        FROM tree AS t
        JOIN pg_trigger AS g ON g.tgrelid = t.below AND NOT g.tgisinternal AND g.tgparentid = 0
          AND g.tgenabled IN ('O', 'A') AND g.tgtype & {row} <> 0 AND g.tgtype & {before} <> 0
          AND g.tgtype & {update} <> 0
        WHERE {has_merge} AND g.tgname > ({counts})::name AND g.tgname NOT LIKE 'zz\\_recorder\\_%'
          AND root IN (SELECT p.partrelid FROM pg_partitioned_table AS p)\
      """;
}
