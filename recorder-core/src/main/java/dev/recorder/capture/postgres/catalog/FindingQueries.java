package dev.recorder.capture.postgres.catalog;

import dev.recorder.capture.CaptureNames;
import dev.recorder.capture.script.CalledFunctions;
import dev.recorder.capture.script.ChosenColumns;
import dev.recorder.capture.script.ColumnQuery;
import dev.recorder.capture.script.RowTriggers;
import dev.recorder.capture.script.TemporaryFiles;
import dev.recorder.capture.script.TriggersOfOthers;
import dev.recorder.capture.script.ValueMarks;
import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlTemplate;
import java.util.Map;

/** The queries of {@link CaptureCheck}. Each row is a finding with its sentence. */
final class FindingQueries {
  private FindingQueries() {}

  /**
   * Returns the query for all findings of some recorders, or of all. {@code lasts}: the cause
   * exists now and loses changes for as long as it exists. {@code setting_up}: the finding is
   * normal while the capture is being set up. {@code version}: the version of the capture's row.
   */
  static Sql all(CaptureNames names) {
    return Sql.in(names.schemas(), ALL, pieces(names));
  }

  /** Returns the query for warnings about the changes of one captured table. */
  static Sql ofOne(CaptureNames names) {
    return Sql.in(names.schemas(), OF_ONE, pieces(names));
  }

  private static Map<String, String> pieces(CaptureNames names) {
    ChosenColumns chosen = ChosenColumns.ofEntry("", "left_out", "chosen");
    String marks = ValueMarks.of("root", chosen);
    String control = Quoted.literal(names.schemas().control());
    return Map.ofEntries(
        Map.entry("roots", CaptureRoots.of(names)),
        Map.entry("captured_tables", CAPTURED_TABLES),
        Map.entry("of_relations", RELATIONS),
        Map.entry("of_stale", STALE),
        Map.entry("of_tables", TABLES),
        Map.entry("of_columns", COLUMNS),
        Map.entry(
            "rows_are_lacking", RowTriggers.areLacking("armed.root", "armed.recorder", BELOW)),
        Map.entry("of_temporary_files", TemporaryFiles.finding()),
        Map.entry("of_triggers", TriggersOfOthers.finding(control)),
        Map.entry("cascades", CascadeFindings.CASCADES),
        Map.entry("of_cascades", CascadeFindings.finding(control, TriggersOfOthers.CHANGES)),
        Map.entry("fingerprint", ColumnQuery.fingerprint("root")),
        Map.entry("key", ColumnQuery.key("root", ChosenColumns.ALL)),
        Map.entry("captured_column", chosen.has("a")),
        Map.entry("called_have_changed", CalledFunctions.changed("value_marks")),
        Map.entry("values_have_changed", ValueMarks.haveChanged("value_marks", marks)),
        Map.entry("name", shell("format('%I.%I', k.schema_name, k.table_name)")),
        Map.entry("name_now", shell("format('%I.%I', s.nspname, r.relname)")),
        Map.entry("control_name", control),
        Map.entry("handoff", Quoted.literal(names.schemas().handoff() + ".")));
  }

  private static final String BELOW =
      "SELECT b.below AS relid FROM tree AS b WHERE b.root = armed.root";

  private static final String SHELL =
      """
      CASE WHEN {name} LIKE '%"%'
          THEN format('''%s''', replace({name}, '''', '''\\''''')) ELSE {name} END""";

  /** Returns an SQL expression that writes a name as one word for a shell. */
  private static String shell(String name) {
    return SqlTemplate.fill(SHELL, Map.of("name", name));
  }

  /**
   * Findings about the captured relation: it is gone, replaced, restored or renamed, or other
   * tables have its triggers.
   */
  private static final String RELATIONS =
      """
      SELECT recorder, captured, true AS loses, CASE WHEN taker IS NULL
          THEN 'its table is gone, or its triggers: remove the capture, or add it with --again'
          ELSE format('its table is gone, and %s is another one, which is captured as %s: %s', name,
            taker, ending) END AS text, NULL::bigint AS unarmed, NULL::bigint AS stray
        FROM armed WHERE root IS NULL AND NOT name_taken
      UNION ALL
      SELECT recorder, captured, true, format('%s is another table than the one that is captured%s:'
          ' its changes are not captured, and copies keep the rows of the other: run %s, with the'
          ' options of the capture%s', name,
          CASE WHEN root IS NULL THEN ', which is gone'
            ELSE format(', which is called %s now', root::regclass) END,
          command, documents), NULL, NULL
        FROM armed WHERE name_taken
      UNION ALL
      SELECT recorder, captured, true, format('its table was made anew, as by a restore from a dump:'
          ' it is captured, but its rows may be others than those in the log: run %s, with the'
          ' options of the capture%s', command, documents), NULL, NULL
        FROM armed WHERE root <> relation
      UNION ALL
      SELECT a.recorder, a.captured, false, format('table %s has triggers of this capture and is no'
          ' part of it: they do nothing, and its owner removes them by %s%s', s.tgrelid::regclass,
          string_agg(format('DROP TRIGGER %I ON %s', s.tgname, s.tgrelid::regclass), '; '
            ORDER BY s.tgname), CASE WHEN a.entity_sql IS NULL AND NOT a.name_taken THEN format(
              '; if it was detached, copies keep its rows until %s', a.afterwards) END),
          NULL, s.tgrelid::bigint
        FROM armed a JOIN pg_trigger s ON s.tgfoid = a.function
        JOIN pg_class c ON c.oid = s.tgrelid AND c.relpersistence <> 't'
        WHERE (a.root IS NOT NULL
            OR NOT EXISTS (SELECT FROM pg_class p WHERE p.oid = a.relation))
          AND NOT (a.root IS NULL AND EXISTS (SELECT FROM pg_class r
            JOIN pg_namespace n ON n.oid = r.relnamespace
            WHERE r.oid = coalesce(pg_partition_root(s.tgrelid), s.tgrelid)
              AND n.nspname = a.schema_name AND r.relname = a.table_name
              AND EXISTS (SELECT FROM pg_trigger o
                WHERE o.tgrelid = r.oid AND o.tgfoid = a.function)))
          AND NOT EXISTS (SELECT FROM tree t WHERE t.below = s.tgrelid
            AND t.recorder = a.recorder AND t.captured = a.captured)
        GROUP BY 1, 2, s.tgrelid, a.entity_sql, a.name_taken, a.afterwards
      UNION ALL
      SELECT recorder, captured, false, format('the table is called %s now, and still %s in the'
          ' log%s', root::regclass, captured, CASE WHEN taker IS NOT NULL THEN format(', while %s is'
          ' captured as %s: nothing is lost; to have each under its name of now, %s', name, taker,
          ending) END), NULL, NULL
        FROM armed a JOIN pg_class r ON r.oid = a.root
        JOIN pg_namespace n ON n.oid = r.relnamespace
        WHERE (n.nspname, r.relname) <> (a.schema_name, a.table_name) AND NOT name_taken\
      """;

  /** Findings about changes that were lost before, even if the cause is over. */
  private static final String STALE =
      """
      SELECT recorder, captured, true AS loses, CASE
          WHEN entity_sql IS NOT NULL THEN format('found before: %s; documents may lack changes of that'
            ' time: ask for its entities, and then run %s, with the options of the capture, which'
            ' ends this finding', stale_why, command)
          WHEN stale_why IS NOT NULL THEN format('found before: %s; changes of that time may be'
            ' missing, and copies lack them until a snapshot: run %s', stale_why, afterwards)
          ELSE format('another table had its name before, or other rows or columns were captured, or'
            ' none for a while, or values may have changed that no trigger saw, and copies keep those'
            ' of before until a snapshot: run %s', afterwards) END AS text,
        NULL::bigint AS unarmed, NULL::bigint AS stray
        FROM armed WHERE root = relation AND stale_at IS NOT NULL
          AND NOT EXISTS (SELECT FROM {snapshots} s WHERE s.recorder = armed.recorder
            AND s.captured = armed.captured AND s.ended_at IS NOT NULL
            AND s.begun_at >= armed.stale_at)\
      """;

  /**
   * Findings about the table and its partitions: missing or disabled triggers, detached and foreign
   * partitions.
   */
  private static final String TABLES =
      """
      SELECT recorder, captured, true, CASE WHEN present = 0 AND below <> root
          THEN format('partition %s is not captured when it is written to itself: add the capture'
            ' with --again', below::regclass)
          WHEN present < 4 THEN format('table %s has %s of 4 triggers: add the capture with --again;'
            ' then %s', below::regclass, present, afterwards)
          WHEN firing > 4 THEN format('table %s has more than one trigger of this capture for an'
            ' event, which tell its changes more than once: add the capture with --again; then %s',
            below::regclass, afterwards)
          ELSE format('table %s has triggers that are disabled: ALTER TABLE %s ENABLE TRIGGER ...;'
            ' what was changed meanwhile was not captured', below::regclass, below::regclass) END,
          CASE WHEN present = 0 AND below <> root THEN below::bigint END, NULL::bigint
        FROM triggers WHERE (enabled < 4 OR firing > 4) AND relkind <> 'f'
      UNION ALL
      SELECT recorder, captured, loses, text, NULL, NULL FROM lacking WHERE is_complete
      UNION ALL
      SELECT recorder, captured, true, format(CASE WHEN t.below = t.root
          THEN 'MERGE moved rows of %s to other partitions, which no trigger of a capture may see: '
          ELSE 'partition %s was detached, changed and attached again, and what was changed meanwhile'
            ' is not captured: ' END || 'run %s, with the options of the capture%s',
          below::regclass, command, documents), NULL, NULL
        FROM triggers AS t JOIN armed USING (recorder, captured)
        WHERE EXISTS (SELECT FROM {detached_changes} d WHERE d.recorder = t.recorder
          AND d.captured = t.captured AND d.relation = t.below)
      UNION ALL
      SELECT recorder, captured, false, format('of its partitions %s were dropped or detached, and'
          ' copies keep their rows until %s', gone, afterwards), NULL, NULL
        FROM armed AS a, LATERAL (SELECT count(*) AS gone FROM (
            SELECT unnest(s.parts_done) AS oid FROM {snapshots} s
            WHERE s.recorder = a.recorder AND s.captured = a.captured
            UNION
            SELECT substr(split_part(mark, ' ', 1), 2)::oid FROM unnest(a.value_marks) AS mark
            WHERE mark LIKE 'f%' AND NOT EXISTS (SELECT FROM {snapshots} s
              WHERE s.recorder = a.recorder AND s.captured = a.captured AND s.since = a.since)
          ) AS pinned
          WHERE NOT EXISTS (SELECT FROM tree t WHERE t.recorder = a.recorder
              AND t.captured = a.captured AND t.below = pinned.oid)
            AND NOT EXISTS (SELECT FROM pg_trigger g
              WHERE g.tgrelid = pinned.oid AND g.tgfoid = a.function)) AS p
        WHERE root = relation AND entity_sql IS NULL AND gone > 0
      UNION ALL
      SELECT recorder, captured, true, format('partition %s is a foreign table, and statements that'
          ' reach it by way of %s fail, or are not captured: ALTER TABLE %s DETACH PARTITION %s; or'
          ' end the capture with recorder capture remove', below::regclass, root::regclass,
          parent::regclass, below::regclass), NULL, NULL
        FROM triggers WHERE relkind = 'f'
      UNION ALL
      SELECT recorder, captured, true, format('table %s is UNLOGGED, so that a crash of the server'
          ' empties it, and nothing says so: ALTER TABLE %s SET LOGGED; then %s', below::regclass,
          below::regclass, afterwards), NULL, NULL
        FROM triggers WHERE relkind = 'r' AND relpersistence = 'u'
      UNION ALL
      SELECT recorder, captured, true, format('table %s is a child of it by INHERITS: its rows are'
          ' not captured, or as rows of %s where they are written by way of that: ALTER TABLE %s NO'
          ' INHERIT %s; then %s', i.inhrelid::regclass, root::regclass, i.inhrelid::regclass,
          root::regclass, afterwards), NULL, NULL
        FROM armed a JOIN pg_inherits i ON i.inhparent = a.root
        JOIN pg_class c ON c.oid = i.inhrelid AND NOT c.relispartition
      UNION ALL
      SELECT recorder, captured, true, CASE WHEN c.relispartition
          THEN format('it is a partition of %s now, and what is written by way of that is not'
            ' captured: end its capture with recorder capture remove, and capture %s',
            i.inhparent::regclass, pg_partition_root(root)::regclass)
          ELSE format('it is a child of %s by INHERITS, and what is written by way of that is not'
            ' captured: ALTER TABLE %s NO INHERIT %s; then %s', i.inhparent::regclass,
            root::regclass, i.inhparent::regclass, afterwards) END, NULL, NULL
        FROM armed a JOIN pg_inherits i ON i.inhrelid = a.root AND NOT i.inhdetachpending
        JOIN pg_class c ON c.oid = i.inhrelid\
      """;

  private static final String COLUMNS =
      """
      SELECT recorder, captured, true, format('values may have changed that no trigger saw, by ALTER'
          ' TYPE or by what writes a table anew, and copies do not have them: run %s, with the options of'
          ' the capture', command), NULL::bigint, NULL::bigint
        FROM armed WHERE root = relation AND entity_sql IS NULL AND {values_have_changed}
      UNION ALL
      SELECT recorder, captured, false, 'columns have changed since it was set up, or its key, and each statement'
          ' asks the catalog for them: add the capture with --again, which makes it fast again',
          NULL::bigint, NULL::bigint
        FROM armed a WHERE root IS NOT NULL AND entity_sql IS NULL AND (fingerprint <> {fingerprint}
          OR root = relation AND key_numbers <> {key} OR EXISTS (SELECT FROM {told_columns} t
            WHERE t.recorder = a.recorder AND t.captured = a.captured AND NOT t.is_first))
      UNION ALL
      SELECT recorder, captured, true, format('columns that its --when or --key names were others'
          ' for a while, and it was left out: copies have rows that are not to be captured, and keep'
          ' them where it holds again: run %s, with the options of the capture', command), NULL, NULL
        FROM armed a WHERE root IS NOT NULL AND when_sql IS NOT NULL AND entity_sql IS NULL
          AND EXISTS (SELECT FROM {told_columns} t WHERE t.recorder = a.recorder
            AND t.captured = a.captured AND t.set_up = a.set_up AND NOT t.is_as_named)
      UNION ALL
      SELECT recorder, captured, true, format('functions that its expressions call have other bodies'
          ' than when it was set up, and may judge a row that goes otherwise than when it came (%s):'
          ' run %s, with the options of the capture%s', changed, command, documents), NULL, NULL
        FROM armed, LATERAL (SELECT {called_have_changed} AS changed) AS f
        WHERE root IS NOT NULL AND changed IS NOT NULL
      UNION ALL
      SELECT a.recorder, a.captured, true, format('sequence %s.%s stands at %s, before the numbers'
          ' that the log has: a replay takes older changes for newer ones. Add the capture with'
          ' --again, and write all rows with capture snapshot', s.schemaname, s.sequencename,
          coalesce(s.last_value, 0)), NULL, NULL
        FROM armed a
        JOIN pg_sequences s ON s.schemaname = {control_name}
          AND s.sequencename = format('capture_%s_seq', a.recorder)
        WHERE root IS NOT NULL AND entity_sql IS NULL
          AND has_sequence_privilege(format('%I.%I', s.schemaname, s.sequencename), 'SELECT, USAGE')
          AND coalesce(s.last_value, 0)
            < extract(epoch FROM a.since - interval '1 day') * 1000000
      UNION ALL
      SELECT recorder, captured, false, format('has columns that are not captured: %s', missing),
          NULL, NULL
        FROM armed, LATERAL (SELECT string_agg(wanted, ', ') AS missing
          FROM unnest(only_columns, only_numbers) AS w (wanted, number)
          WHERE NOT EXISTS (SELECT FROM pg_attribute a
            WHERE a.attrelid = root AND NOT a.attisdropped
              AND (a.attnum = w.number OR a.attname = wanted) AND {captured_column})) AS m
        WHERE root IS NOT NULL AND missing IS NOT NULL
      UNION ALL
      SELECT recorder, captured, false, format('columns have other names than when it was set up, and'
          ' what was left out or captured stays so: %s; add the capture with --again and the names of now',
          renamed), NULL, NULL
        FROM armed, LATERAL (
          SELECT string_agg(CASE WHEN w.name <> a.attname
              THEN format('%s is called %s now', w.name, a.attname)
              ELSE format('%s was %s under another name', a.attname, CASE WHEN {captured_column}
                THEN 'captured' ELSE 'left out' END) END, ', ' ORDER BY a.attnum) AS renamed
          FROM pg_attribute a LEFT JOIN unnest(only_columns || except_columns, CASE
              WHEN only_columns = '{}' THEN except_numbers ELSE only_numbers END) AS w (name, number)
            ON w.number = a.attnum
          WHERE a.attrelid = root AND a.attnum > 0 AND NOT a.attisdropped
            AND (w.name <> a.attname OR ({captured_column}) <> (a.attname <> ALL (except_columns)
              AND (only_columns = '{}' OR a.attname = ANY (only_columns))))) AS m
        WHERE root = relation AND entity_sql IS NULL AND renamed IS NOT NULL
      UNION ALL
      SELECT recorder, captured, false, format('nothing limits what is in %s, and a row of more than'
          ' %s bytes (max_payload) fails its transaction: raise max_payload, or leave columns out'
          ' with --except', wide, bytes), NULL, NULL
        FROM armed, LATERAL (
          SELECT substring(pg_get_constraintdef(k.oid) FROM '<= \\(?([0-9]+)')::bigint AS bytes
          FROM pg_constraint k WHERE k.conname = :limit
            AND k.conrelid = to_regclass({handoff} || recorder)) AS l,
        LATERAL (SELECT string_agg(a.attname, ', ' ORDER BY a.attnum) AS wide
          FROM pg_attribute a WHERE a.attrelid = root AND a.attnum > 0
            AND NOT a.attisdropped AND a.attlen < 0 AND a.atttypmod < 0
            AND NOT a.atttypid IN ('numeric'::regtype, 'inet'::regtype, 'cidr'::regtype)
            AND {captured_column}) AS w
        WHERE wide IS NOT NULL AND entity_sql IS NULL\
      """;

  private static final String CAPTURED_TABLES =
      """
      WITH RECURSIVE armed AS (
        SELECT k.*, n.name, CASE WHEN k.root IS NULL
            THEN format('run recorder capture remove %1$s --recorder %2$s twice, as the first ends'
              ' the capture of that one, and add it anew with --snapshot', n.name, k.recorder)
            ELSE format('run recorder capture remove %1$s --recorder %3$s, and recorder capture'
              ' remove %2$s --recorder %3$s, and add both anew with --snapshot', c.now, n.name,
              k.recorder) END AS ending,
          format('recorder capture add %s --recorder %s --again%s', n.name,
            k.recorder, CASE WHEN k.entity_sql IS NULL THEN ' --snapshot' END) AS command,
          CASE WHEN k.entity_sql IS NULL
            THEN format('recorder capture snapshot %s --recorder %s', n.name, k.recorder)
            ELSE 'ask for its entities' END AS afterwards,
          CASE WHEN k.entity_sql IS NULL THEN '' ELSE ', and ask for its entities' END AS documents
        FROM ({roots}) AS k
        CROSS JOIN LATERAL (SELECT {name} AS name) AS n
        LEFT JOIN LATERAL (SELECT {name_now} AS now FROM pg_class r
          JOIN pg_namespace s ON s.oid = r.relnamespace WHERE r.oid = k.root) AS c ON true
        WHERE cardinality(:recorders::text[]) = 0 OR k.recorder = ANY (:recorders::text[])),
      tree AS (
        SELECT a.recorder, a.captured, a.afterwards, a.function, a.root, a.root AS below,
          NULL::oid AS parent
        FROM armed a WHERE a.root IS NOT NULL
        UNION ALL
        SELECT t.recorder, t.captured, t.afterwards, t.function, t.root, i.inhrelid, t.below
        FROM tree t JOIN pg_inherits i ON i.inhparent = t.below AND NOT i.inhdetachpending
        JOIN pg_class c ON c.oid = i.inhrelid AND c.relispartition),
      triggers AS (
        SELECT t.*, r.relkind, r.relpersistence, n.present, n.enabled, n.firing
        FROM tree t JOIN pg_class r ON r.oid = t.below
        CROSS JOIN LATERAL (
          SELECT count(DISTINCT g.tgtype & 60) AS present,
            count(DISTINCT g.tgtype & 60) FILTER (WHERE g.tgenabled IN ('O', 'A')) AS enabled,
            count(*) FILTER (WHERE g.tgenabled IN ('O', 'A')) AS firing
          FROM pg_trigger g WHERE g.tgrelid = t.below AND g.tgfoid = t.function) AS n),
      lacking AS (
        SELECT recorder, captured, true AS loses, format('table %s, or a partition of it, has not all'
            ' triggers for each row, or some are disabled: a row that MERGE moves, and values of'
            ' stored generated columns, may be missing: run %s, with the options of the capture%s',
            root::regclass, command, documents) AS text, is_complete
        FROM armed WHERE root IN (SELECT p.partrelid FROM pg_partitioned_table p)
          AND {rows_are_lacking}),
      {cascades}\
      """;

  private static final String ALL =
      """
      {captured_tables},
      found AS (
        {of_relations}
        UNION ALL
        {of_tables}
        UNION ALL
        {of_columns}
        UNION ALL
        {of_temporary_files}
        UNION ALL
        {of_triggers}
        UNION ALL
        {of_cascades})
      SELECT f.*, f.loses AND f.unarmed IS NULL AS lasts, false AS setting_up, a.version
        FROM found AS f JOIN armed AS a USING (recorder, captured)
      UNION ALL
      SELECT recorder, captured, loses, text, NULL, NULL, true, true, ''
        FROM lacking WHERE NOT is_complete
      UNION ALL
      SELECT s.*, false, false, '' FROM ({of_stale}) AS s
        WHERE NOT EXISTS (SELECT FROM found AS f WHERE f.recorder = s.recorder
          AND f.captured = s.captured AND f.loses AND f.unarmed IS NULL)
      ORDER BY 1, 2, 3 DESC, 4
      """;

  private static final String OF_ONE =
      """
      {captured_tables},
      found (recorder, captured, loses, text, unarmed, stray) AS (
        {of_temporary_files}
        UNION ALL
        {of_triggers}
        UNION ALL
        {of_cascades})
      SELECT *, false AS setting_up FROM found WHERE recorder = :recorder AND captured = :captured ORDER BY text
      """;
}
