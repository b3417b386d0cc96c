package dev.recorder.capture.script;

import dev.recorder.capture.CaptureNames;
import dev.recorder.capture.CaptureRule;
import dev.recorder.handoff.ChangeMark;
import dev.recorder.postgres.sql.DefaultCollation;
import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.SqlTemplate;
import java.util.Map;

/**
 * The statements of a trigger for TRUNCATE.
 *
 * <p>A TRUNCATE of a partitioned table also fires the triggers of each captured table below it, but
 * must be written once. So the function of a lower table reads the last change of the table that
 * this transaction has written. If this is the TRUNCATE of a table above, the relation is part of
 * it, or has been empty since then. A setting of the session would be unsafe, since every role may
 * change it, while only captures write the mark. Rows without the mark may have any payload, so
 * their members are not read.
 *
 * <p>A partition's bounds are not read if the partition key of a table above has expressions, or is
 * not visible: the server would evaluate the constant parts, which may call functions of that
 * table's owner. The log then says that the removed rows are unknown.
 */
record TruncateStatements(CaptureNames names, CaptureRule rule) {
  private static final String WHOLE =
      """
      seq := nextval({sequence});
      INSERT INTO {handoff} (key, payload)
      SELECT left({table}, 2000), row_to_json(change.*)
      FROM (SELECT {by}, 'truncate' AS op, {table} AS "table", capture.seq AS seq) AS change;""";

  private static final String OF_PARTITIONS =
      """
      quoting := current_setting('standard_conforming_strings');
      PERFORM set_config('standard_conforming_strings', 'on', true);
      WITH above AS (
          SELECT a.relid, a.place, k.partstrat, k.partrelid IS NOT NULL AND k.partexprs IS NULL
            AS is_plain
          FROM pg_partition_ancestors(TG_RELID) WITH ORDINALITY AS a (relid, place)
          LEFT JOIN pg_partitioned_table AS k ON k.partrelid = a.relid),
        known AS (
          SELECT b.place, CASE
              WHEN (SELECT bool_and(a.is_plain) FROM above AS a WHERE a.place > b.place)
                THEN pg_get_partition_constraintdef(b.relid)
              WHEN EXISTS (SELECT FROM above AS a WHERE a.place > b.place)
                THEN format('unknown(%s)', b.relid::oid) END AS bounds
          FROM above AS b)
        SELECT array_agg(k.bounds ORDER BY k.place), (SELECT bool_or(a.partstrat = 'h')
            FROM above AS a WHERE a.place > 1)
          INTO conditions, is_hashed FROM known AS k;
      bounds := conditions[1];
      is_told := coalesce((
          SELECT told.payload ->> 'op' = 'truncate' AND coalesce(told.payload ->> 'where', '') IN (
            SELECT coalesce(w.bounds, '') FROM unnest(conditions[2:]) AS w (bounds))
          FROM {handoff} AS told
          WHERE told.xid = pg_current_xact_id()
            AND CASE WHEN starts_with(told.payload::text, {mark})
              THEN told.payload ->> 'table' = {table} AND told.payload ->> 'op' <> 'schema'
              ELSE false END
          ORDER BY told.id DESC LIMIT 1), false);
      PERFORM set_config('standard_conforming_strings', quoting, true);
      IF is_told THEN
        RETURN NULL;
      END IF;
      IF is_hashed THEN
        RAISE feature_not_supported USING
          MESSAGE = format('hash partition %s cannot be truncated alone: %s is captured by recorder'
            ' %s, and its log could not say which rows are gone', TG_RELID::regclass, {table},
            {recorder}),
          HINT = 'DELETE its rows, or truncate the whole table.';
      END IF;
      {tell}
      seq := nextval({sequence});
      INSERT INTO {handoff} (key, payload)
      SELECT left({table}, 2000), json_strip_nulls(row_to_json(change.*))
      FROM (SELECT {by}, 'truncate' AS op, {table} AS "table", capture.seq AS seq,
          capture.bounds AS "where", CASE WHEN capture.bounds IS NOT NULL
            THEN {order} END AS "order") AS change;""";

  /** Returns the statements for a table that is not partitioned, each with its semicolon. */
  String whole() {
    return filled(WHOLE, "");
  }

  /**
   * Returns the statements for a partitioned table and its partitions, each with its semicolon.
   * Before the bounds of a partition are written, changed columns are written.
   */
  String ofPartitions(ChangedColumns columns) {
    return filled(OF_PARTITIONS, columns.beforeTruncate());
  }

  private String filled(String statements, String tell) {
    return SqlTemplate.fillFromShared(
        statements,
        Map.of(
            "tell", tell,
            "order", DefaultCollation.SQL,
            "by", ChangeStatements.mark(),
            "mark", Quoted.literal(ChangeMark.TEXT),
            "handoff", names.schemas().handoffTable(rule.recorder()),
            "table", Quoted.literal(rule.table().logged()),
            "recorder", Quoted.literal(rule.recorder().value()),
            "sequence", Quoted.literal(names.sequence(rule.recorder()))));
  }
}
