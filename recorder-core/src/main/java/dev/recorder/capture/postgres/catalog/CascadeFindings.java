package dev.recorder.capture.postgres.catalog;

import dev.recorder.capture.script.RowTriggers;
import dev.recorder.postgres.sql.SqlTemplate;
import java.util.Map;

/**
 * Findings about changes that foreign keys make to rows of a captured table.
 *
 * <p>For a cascade, the server fires the captured table's triggers after all triggers that the
 * statement on the referenced table has queued. If a trigger of the referenced table changes the
 * captured table, its changes are therefore logged before the cascade.
 *
 * <p>The triggers see all deletes of a statement together and all its updates together, in either
 * order. If both a delete and an update concern one key, this order decides which rows a copy has.
 * This happens if rows get another key, or begin to fulfil the capture's condition, and are
 * deleted. It does not matter for a row that keeps its key, since a delete wins over an update of
 * the same transaction.
 */
final class CascadeFindings {
  private CascadeFindings() {}

  /**
   * Query over {@code armed} and {@code tree}: an {@code event} on table {@code relid} leads to the
   * event {@code leads} on the captured table. Events are bits of {@code pg_trigger.tgtype}. {@code
   * moves}: the change concerns the rows' key or whether they are captured.
   */
  static final String CASCADES =
      """
      cascades AS (
        SELECT t.recorder, t.captured, f.confrelid AS relid, e.event, e.leads,
          e.leads = 16 AND a.key_numbers <> '{}' AND (a.when_sql IS NOT NULL OR EXISTS (
            SELECT FROM pg_attribute AS k JOIN pg_attribute AS c ON c.attname = k.attname
            WHERE k.attrelid = t.root AND k.attnum = ANY (a.key_numbers)
              AND c.attrelid = t.below AND c.attnum = ANY (e.columns))) AS moves
        FROM tree AS t JOIN armed AS a USING (recorder, captured)
        JOIN pg_constraint AS f ON f.conrelid = t.below AND f.contype = 'f'
        CROSS JOIN LATERAL (
          SELECT 8 AS event, CASE f.confdeltype WHEN 'c' THEN 8 ELSE 16 END AS leads,
            coalesce(translate(to_json(f.*) ->> 'confdelsetcols', '[]', '{}')::int[], f.conkey)
              AS columns
          WHERE f.confdeltype IN ('c', 'n', 'd')
          UNION ALL
          SELECT 16, 16, f.conkey WHERE f.confupdtype IN ('c', 'n', 'd')) AS e
        WHERE a.entity_sql IS NULL
        UNION
        SELECT c.recorder, c.captured, f.confrelid, e.event, c.leads, c.moves
        FROM cascades AS c JOIN pg_constraint AS f ON f.conrelid = c.relid AND f.contype = 'f'
        CROSS JOIN LATERAL (
          SELECT 8 AS event, CASE f.confdeltype WHEN 'c' THEN 8 ELSE 16 END AS leads
          WHERE f.confdeltype IN ('c', 'n', 'd')
          UNION ALL
          SELECT 16, 16 WHERE f.confupdtype IN ('c', 'n', 'd')) AS e
        WHERE e.leads = c.event)""";

  /**
   * Triggers of the captured table itself belong to {@link
   * dev.recorder.capture.script.TriggersOfOthers}, except statement triggers for another kind of
   * statement than the cascade's. The server fires statement triggers of the same kind again after
   * the cascade.
   *
   * <p>If a MERGE and a cascade of the same statement change the same table by the same kind of
   * change, the server keeps their rows apart, and fires the statement triggers only for the last
   * of the two.
   */
  private static final String FINDING =
      """
      SELECT DISTINCT c.recorder, c.captured, false, format('trigger %1$I on %2$s changes %3$s, of'
          ' which foreign keys change rows by the same statement: the log has that before, and copies'
          ' keep the rows as they were: let a trigger of %3$s do it, for each statement and with a'
          ' name behind 00_recorder_, or one that is INITIALLY DEFERRED; then %4$s', g.tgname,
          g.tgrelid::regclass, a.root::regclass, a.afterwards), NULL::bigint, NULL::bigint
        FROM cascades AS c JOIN armed AS a USING (recorder, captured)
        JOIN pg_trigger AS g ON g.tgrelid = c.relid AND NOT g.tgisinternal AND g.tgparentid = 0
          AND g.tgenabled IN ('O', 'A') AND NOT g.tginitdeferred AND g.tgtype & 66 = 0
          AND g.tgtype & c.event <> 0
        JOIN pg_proc AS f ON f.oid = g.tgfoid AND f.pronamespace <> {control}::regnamespace
        WHERE (c.event <> c.leads AND g.tgtype & 1 = 0 OR NOT EXISTS (SELECT FROM tree AS t
            WHERE t.recorder = c.recorder AND t.captured = c.captured AND t.below = c.relid))
          AND EXISTS (SELECT FROM tree AS t JOIN pg_class AS r ON r.oid = t.below
            WHERE t.recorder = c.recorder AND t.captured = c.captured AND {changes})
      UNION ALL
      SELECT c.recorder, c.captured, false, format('a DELETE of %s deletes rows by foreign keys, and'
          ' by others it changes their key, or whether --when holds: if one statement does both to a'
          ' row, or to one key, copies may lack that row, or keep it: let these foreign keys have the'
          ' same action, or none; then %s', string_agg(DISTINCT c.relid::regclass::text, ', '),
          a.afterwards), NULL, NULL
        FROM cascades AS c JOIN armed AS a USING (recorder, captured)
        JOIN cascades AS m ON m.recorder = c.recorder AND m.captured = c.captured
          AND m.relid = c.relid AND m.event = 8 AND m.moves
        WHERE c.event = 8 AND c.leads = 8
        GROUP BY c.recorder, c.captured, a.afterwards
      UNION ALL
      SELECT a.recorder, a.captured, false, format('foreign keys of %1$s refer to %1$s itself with an'
          ' action: of a MERGE on it that fires them only what they do is captured, and not what the'
          ' MERGE does by itself: use UPDATE, DELETE or INSERT ... ON CONFLICT; after such a MERGE %2$s',
          a.root::regclass, a.afterwards), NULL, NULL
        FROM armed AS a
        WHERE {has_merge} AND EXISTS (SELECT FROM tree AS t JOIN pg_constraint AS f
          ON f.conrelid = t.below AND f.confrelid = t.root AND f.contype = 'f'
          WHERE t.recorder = a.recorder AND t.captured = a.captured
            AND (f.confdeltype IN ('c', 'n', 'd') OR f.confupdtype IN ('c', 'n', 'd')))\
      """;

  /**
   * Returns the query for the findings, over {@code armed}, {@code tree} and {@link #CASCADES}.
   *
   * @param control SQL literal of the schema with the functions of captures
   * @param changes SQL condition: whether the function {@code f} changes the table {@code r}
   */
  static String finding(String control, String changes) {
    return SqlTemplate.fill(
        FINDING,
        Map.of("control", control, "changes", changes, "has_merge", RowTriggers.HAS_MERGE));
  }
}
