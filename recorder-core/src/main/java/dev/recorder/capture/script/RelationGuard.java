package dev.recorder.capture.script;

import dev.recorder.capture.CaptureNames;
import dev.recorder.capture.CaptureRule;
import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.SqlTemplate;
import java.util.Map;

/**
 * The first statements of a triggers' function, which end the function for relations that do not
 * belong to the capture. A detached partition keeps its triggers. Its changes are in no log, and it
 * may be attached again. So the existence of such changes is noted once. Transactions that note it
 * do not wait for each other.
 *
 * <p>A restore from a dump creates all relations, triggers and functions with new oids. So if the
 * captured relation has no trigger of the capture, the relation with its name and the triggers
 * takes its place. No change is lost, and {@code capture check} reports it. Column numbers also
 * change, so that left-out columns could only be found by name, and another column may have the
 * name. So a capture with a choice of columns moves only to a table with the columns for which the
 * capture was set up.
 *
 * @param moves SQL condition: relation {@code c} may take the captured relation's place
 */
record RelationGuard(CaptureNames names, CaptureRule rule, long oid, String moves) {
  /** The variable with the captured relation's oid in the following statements. */
  static final String ROOT = "capture.root";

  /** The relation that the trigger fired for. */
  static final String FIRED = "TG_RELID";

  private static final String DECLARATION = "root oid := {oid};";

  private static final String SQL =
      """
      IF {fired} <> root AND NOT EXISTS (SELECT FROM pg_partition_ancestors({fired}) AS a
          WHERE a.relid = capture.root) THEN
        -- Another relation, unless a dump was restored, which gives all of them other oids.
        root := (SELECT c.oid FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
          WHERE c.oid = coalesce(pg_partition_root({fired}), {fired})
            AND n.nspname = {schema} AND c.relname = {name}
            AND EXISTS (SELECT FROM pg_trigger AS t
              WHERE t.tgrelid = c.oid AND t.tgfoid = {function}::regprocedure)
            AND NOT EXISTS (SELECT FROM pg_trigger AS t
              WHERE t.tgrelid = capture.root AND t.tgfoid = {function}::regprocedure)
            AND {moves});
        IF root IS NULL THEN
          INSERT INTO {detached} (recorder, captured, relation)
          SELECT d.* FROM (SELECT {recorder}, {captured}, {fired}) AS d (recorder, captured, relation)
          WHERE NOT EXISTS (SELECT FROM {detached} AS n WHERE n.recorder = d.recorder
            AND n.captured = d.captured AND n.relation = d.relation);
          RETURN NULL;
        END IF;
      END IF;""";

  String declaration() {
    return SqlTemplate.fill(DECLARATION, Map.of("oid", Long.toString(oid)));
  }

  /**
   * Returns the statements, each with its semicolon.
   *
   * @param fired SQL expression of the relation for which the function is called
   */
  String sql(String fired) {
    return SqlTemplate.fill(
        SQL,
        Map.of(
            "fired", fired,
            "detached", names.detachedChanges(),
            "recorder", Quoted.literal(rule.recorder().value()),
            "captured", Quoted.literal(rule.table().logged()),
            "schema", Quoted.literal(rule.table().schema()),
            "name", Quoted.literal(rule.table().name()),
            "function", Quoted.literal(names.function(rule) + "()"),
            "moves", moves));
  }
}
