package dev.recorder.capture.script;

import dev.recorder.capture.CaptureNames;
import dev.recorder.capture.CaptureRule;
import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.SqlTemplate;
import java.util.Map;

/**
 * What a function of triggers does first: nothing, for any relation but the one that its capture is
 * of and those below it. A partition that was detached keeps the triggers that it had. It may be
 * attached again, and what was changed meanwhile is in no log: so that there are such changes is
 * noted, once, and nobody who notes it waits for another.
 *
 * <p>A restore from a dump makes all relations anew, with triggers and functions, but with other
 * oids. So if the one that the capture is of has no trigger of it, the one that has its name and
 * its triggers takes its place: nothing is lost, and {@code capture check} finds it. A dump gives
 * columns other numbers, too, so that only their names could say which are to be left out, and
 * these may be those of others. So a capture that has a choice of columns is moved only if its
 * table has the columns that it was set up for.
 *
 * @param moves SQL condition on relation {@code c}, whether it may take the other's place
 */
record RelationGuard(CaptureNames names, CaptureRule rule, long oid, String moves) {
  /** What the function knows the relation by, from here on. */
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
   * Statements, each ended.
   *
   * @param fired SQL expression of the relation that the function is called for
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
