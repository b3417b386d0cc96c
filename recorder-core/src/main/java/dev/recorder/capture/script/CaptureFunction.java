package dev.recorder.capture.script;

import dev.recorder.capture.CaptureNames;
import dev.recorder.capture.CaptureRule;
import dev.recorder.capture.CapturedTable;
import dev.recorder.capture.ColumnChoice;
import dev.recorder.capture.script.ChangeStatements.Before;
import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.SqlTemplate;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The function of a table's triggers.
 *
 * <p>The function contains statements for the columns at the time of its creation. After a column
 * has changed, it builds statements for the present columns at each call, until it is replaced.
 * This is slower, but no change is missing.
 *
 * @param setUp SQL literal, see {@link SchemaRowStatement}
 */
record CaptureFunction(CaptureNames names, CapturedTable table, CaptureRule rule, String setUp) {
  private static final String BODY =
      """

      -- Writes the changes of {comment} into the log of recorder {recorder}.
      -- Made by 'recorder capture add'; what is changed by hand is lost when it is made again.
      #variable_conflict use_column
      <<capture>>
      DECLARE
        {declaration}
        seq bigint;
        conditions text[];
        bounds text;
        is_hashed boolean;
        is_told boolean;
        fingerprint bigint;
        key_numbers int[];
        quoting text;
        have_changed boolean;
        is_unseen boolean := false;
        {moved_declaration}
        {seen_declaration}
        parts text[];
      BEGIN
      {guard}
      {moved}

      {told_before}
      IF TG_OP <> 'TRUNCATE' THEN
      have_changed := is_unseen OR {have_changed};
      {seen}
      END IF;

      IF TG_OP = 'TRUNCATE' THEN
      {truncate}

      ELSIF have_changed THEN
      -- Columns have changed since this was made, if only for a while.
      {changed}

      ELSIF {is_snapshot} THEN
      -- A chunk of a snapshot: its rows are locked, and were put into a temporary table.
      seq := nextval({sequence});
      {snapshot}

      ELSIF TG_OP = 'INSERT' THEN
      seq := nextval({sequence});
      {insert}

      ELSIF TG_OP = 'UPDATE' THEN
      seq := nextval({sequence});
      {update}

      ELSIF TG_OP = 'DELETE' THEN
      seq := nextval({sequence});
      {delete}
      END IF;
      RETURN NULL;
      END
      """;

  /** Returns the statement that creates or replaces the function. */
  String create() {
    return new TriggerFunction(names, rule, "", body()).create();
  }

  private String body() {
    String row = Quoted.identifier(rule.table().name());
    String relation = RelationGuard.ROOT;
    RelationGuard guard = new RelationGuard(names, rule, table.relation().oid(), moves());
    ChangedColumns changed = new ChangedColumns(names, table, rule, relation, setUp);
    String handoff = names.schemas().handoffTable(rule.recorder());
    Fragments known = Fragments.of(table, rule, row);
    ChangeStatements.StatementContext place =
        new ChangeStatements.StatementContext(handoff, row, "capture.seq");
    ChangeStatements statements =
        new ChangeStatements(known, Before.of(rule.options().old(), table, known), place, rule);
    KnownStatements quick = new KnownStatements(table, rule, place);
    return SqlTemplate.fill(
        BODY,
        Map.ofEntries(
            Map.entry("comment", Quoted.comment(rule.table().quoted())),
            Map.entry("recorder", rule.recorder().value()),
            Map.entry("declaration", guard.declaration()),
            Map.entry("guard", guard.sql(SnapshotStatements.FIRED)),
            Map.entry("moved", new RowTriggers(names, rule).check()),
            Map.entry("moved_declaration", RowTriggers.DECLARATION),
            Map.entry("told_before", SeenColumns.toldBefore(names, rule)),
            Map.entry("seen", seen(relation).sql()),
            Map.entry("seen_declaration", SeenColumns.DECLARATION),
            Map.entry("have_changed", changed.haveChanged()),
            Map.entry("is_snapshot", SnapshotStatements.IS_SNAPSHOT),
            Map.entry("snapshot", quick.snapshot() + ";"),
            Map.entry("truncate", truncate(changed)),
            Map.entry("changed", changed.sql(row)),
            Map.entry("sequence", Quoted.literal(names.sequence(rule.recorder()))),
            Map.entry("insert", quick.insert() + ";"),
            Map.entry("update", quick.update(ended(statements.update()))),
            Map.entry("delete", quick.delete() + ";")));
  }

  private String moves() {
    return rule.options().columns().equals(ColumnChoice.ALL)
        ? "true"
        : "NOT " + new ChangedColumns(names, table, rule, "c.oid", setUp).haveChanged();
  }

  /** A partition may have its columns in another order. */
  private SeenColumns seen(String relation) {
    String isKnown =
        SqlTemplate.fill(
            "NOT have_changed AND TG_RELID = {relation}", Map.of("relation", relation));
    return new SeenColumns(rule, isKnown, table.shape());
  }

  private String truncate(ChangedColumns changed) {
    TruncateStatements truncate = new TruncateStatements(names, rule);
    return table.isPartitioned() ? truncate.ofPartitions(changed) : truncate.whole();
  }

  private static String ended(List<String> statements) {
    return statements.stream().map(s -> s + ";").collect(Collectors.joining("\n"));
  }
}
