package dev.recorder.capture.script;

import dev.recorder.capture.CaptureNames;
import dev.recorder.capture.CaptureRule;
import dev.recorder.capture.TextEncoding;
import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.SqlTemplate;
import java.util.Map;

/**
 * The function of a table's triggers that asks for documents: one update for each entity that an
 * old or a new row of the statement names, without a payload.
 *
 * <p>A TRUNCATE has no transition tables, so it is looked at before it happens. Of a partitioned
 * table only the partitions have rows of their own, and each of them fires, if it is armed: as long
 * as one is not, all rows are looked at from above, too.
 *
 * <p>It fails, and with it the statement that fired it, once its expression can no longer be
 * evaluated: a document that is old and looks new would be worse. For the same reason a policy that
 * would hide rows from it is an error.
 */
record RequestFunction(CaptureNames names, CaptureRule rule, long relation, TextEncoding idText) {
  private static final String BODY =
      """

      -- Asks recorder {recorder} for the documents that a change of {comment} touches.
      -- Made by 'recorder capture add'; what is changed by hand is lost when it is made again.
      #variable_conflict use_column
      <<capture>>
      DECLARE
        {declaration}
      BEGIN
      {guard}

      IF TG_OP = 'INSERT' THEN
        {ask} (
          {of_new}) {found};
      ELSIF TG_OP = 'UPDATE' THEN
        {ask} (
          {of_old}
          UNION ALL
          {of_new}) {found};
      ELSIF TG_OP = 'DELETE' THEN
        {ask} (
          {of_old}) {found};
      ELSE
        EXECUTE {before} || CASE WHEN EXISTS (SELECT FROM pg_partition_tree(TG_RELID) AS t
            WHERE t.isleaf AND t.relid <> TG_RELID AND NOT EXISTS (SELECT FROM pg_trigger AS g
              WHERE g.tgrelid = t.relid AND g.tgname = TG_NAME))
          THEN '' ELSE 'ONLY ' END || TG_RELID::regclass || {behind};
      END IF;
      RETURN NULL;
      END
      """;

  private static final String ASK =
      """
      INSERT INTO {handoff} (request_type, entity_id)
      SELECT DISTINCT 'update', {id} FROM""";

  private static final String FOUND = "AS found (entity) WHERE found.entity IS NOT NULL";

  /** Stands where only the trigger knows which table it is. */
  private static final String TABLE = "\uFDD0";

  /** The statement that creates it, or takes its place. */
  String create() {
    return new TriggerFunction(names, rule, "SET row_security = off\n", body()).create();
  }

  private String body() {
    String ask =
        SqlTemplate.fill(
            ASK,
            Map.of(
                "handoff",
                names.schemas().handoffTable(rule.recorder()),
                "id",
                idText.of("found.entity")));
    String[] truncated =
        SqlTemplate.fill(
                "{ask} ({entities}) {found}",
                Map.of(
                    "ask", ask, "entities", EntityExpression.ofRows(rule, TABLE), "found", FOUND))
            .split(TABLE, 2);
    RelationGuard guard = new RelationGuard(names, rule, relation);
    return SqlTemplate.fill(
        BODY,
        Map.of(
            "recorder", rule.recorder().value(),
            "comment", Quoted.comment(rule.table().quoted()),
            "declaration", guard.declaration(),
            "guard", guard.sql(RelationGuard.FIRED),
            "ask", ask,
            "of_new", EntityExpression.ofRows(rule, "new_rows"),
            "of_old", EntityExpression.ofRows(rule, "old_rows"),
            "found", FOUND,
            "before", Quoted.dollars("sql", truncated[0]),
            "behind", Quoted.dollars("sql", truncated[1])));
  }
}
