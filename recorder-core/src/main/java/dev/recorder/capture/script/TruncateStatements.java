package dev.recorder.capture.script;

import dev.recorder.capture.CaptureNames;
import dev.recorder.capture.CaptureRule;
import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.SqlTemplate;
import java.util.Map;

/**
 * What a trigger does when its table is truncated.
 *
 * <p>The TRUNCATE of a partitioned table fires for each captured table below it as well, and is to
 * be written once. So it leaves its number in a setting of the transaction: whoever is below it and
 * finds that no statement was numbered since is part of it, or has been empty since. Each log has a
 * setting of its own: others that capture the table number its statements otherwise.
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
      above := current_setting({setting}, true);
      IF above <> '' THEN
        IF above IN (SELECT format('%s %s', a.relid::oid, currval({sequence}))
            FROM pg_partition_ancestors(TG_RELID) AS a WHERE a.relid <> TG_RELID) THEN
          RETURN NULL;
        END IF;
      END IF;
      quoting := current_setting('standard_conforming_strings');
      PERFORM set_config('standard_conforming_strings', 'on', true);
      bounds := pg_get_partition_constraintdef(TG_RELID);
      PERFORM set_config('standard_conforming_strings', quoting, true);
      IF bounds LIKE '%satisfies\\_hash\\_partition%' THEN
        RAISE feature_not_supported USING
          MESSAGE = format('hash partition %s cannot be truncated alone: %s is captured by recorder'
            ' %s, and its log could not say which rows are gone', TG_RELID::regclass, {table},
            {recorder}),
          HINT = 'DELETE its rows, or truncate the whole table.';
      END IF;
      seq := nextval({sequence});
      INSERT INTO {handoff} (key, payload)
      SELECT left({table}, 2000), json_strip_nulls(row_to_json(change.*))
      FROM (SELECT {by}, 'truncate' AS op, {table} AS "table", capture.seq AS seq,
          capture.bounds AS "where") AS change;
      PERFORM set_config({setting}, format('%s %s', TG_RELID, seq), true);""";

  /** Statements, each ended. */
  String sql(boolean isPartitioned) {
    return SqlTemplate.fillFromShared(
        isPartitioned ? OF_PARTITIONS : WHOLE,
        Map.of(
            "by", ChangeStatements.mark(),
            "handoff", names.schemas().handoffTable(rule.recorder()),
            "table", Quoted.literal(rule.table().logged()),
            "recorder", Quoted.literal(rule.recorder().value()),
            "setting", Quoted.literal("recorder.truncated_" + rule.recorder()),
            "sequence", Quoted.literal(names.sequence(rule.recorder()))));
  }
}
