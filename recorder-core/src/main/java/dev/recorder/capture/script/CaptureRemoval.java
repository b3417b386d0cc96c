package dev.recorder.capture.script;

import dev.recorder.capture.CaptureNames;
import dev.recorder.capture.CaptureRule;
import dev.recorder.capture.TableName;
import dev.recorder.postgres.sql.PsqlPreamble;
import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.SqlTemplate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The SQL that ends a capture, in as many transactions as there are tables, so that nobody waits
 * for all of them. May be broken off anywhere, and begun again.
 *
 * <p>The table itself comes first, then those below it, the higher before the lower: whoever arms
 * what is new below a captured table does so only where something above is armed, and so arms
 * nothing again. The function and what is noted of the capture go last, once no trigger is left.
 *
 * @param relations those that have the triggers, in that order
 */
public record CaptureRemoval(CaptureNames names, CaptureRule rule, List<TableName> relations) {
  public CaptureRemoval {
    relations = List.copyOf(relations);
  }

  /** What has a transaction of its own, and which table it locks. */
  public record RemovalStep(TableName table, List<String> statements) {}

  /** Of each table. */
  public List<RemovalStep> steps() {
    List<RemovalStep> steps = new ArrayList<>();
    for (TableName relation : relations) {
      List<String> statements = new ArrayList<>(CaptureTriggers.PRUDENCE);
      if (steps.isEmpty()) {
        statements.addAll(snapshots());
      }
      statements.addAll(CaptureTriggers.drop(rule.recorder(), relation));
      statements.add(CaptureTriggers.dropRenamed(rule.recorder(), names.function(rule), relation));
      steps.add(new RemovalStep(relation, statements));
    }
    return steps;
  }

  private static final String DROP = "DROP FUNCTION IF EXISTS {function}";

  /** Whoever captures it again by this name is told that copies lack what was changed meanwhile. */
  private static final String UNSEEN =
      """
      WITH ended AS (
        DELETE FROM {captures} WHERE recorder = {recorder} AND captured = {captured}
        RETURNING recorder, captured, relation)
      INSERT INTO {detached} (recorder, captured, relation) SELECT * FROM ended""";

  private static final String FORGET =
      "DELETE FROM {table} WHERE recorder = {recorder} AND captured = {captured}";

  /** Of what they had in common; fails as long as there is a trigger. */
  public RemovalStep end() {
    List<String> statements = new ArrayList<>(CaptureTriggers.PRUDENCE);
    statements.addAll(snapshots());
    statements.add(new RowTriggers(names, rule).drop());
    names
        .functions(rule)
        .forEach(function -> statements.add(SqlTemplate.fill(DROP, Map.of("function", function))));
    statements.add(
        SqlTemplate.fill(
            "DROP SEQUENCE IF EXISTS {numbers}", Map.of("numbers", names.toldNumbers(rule))));
    statements.add(forget(names.toldColumns(), rule));
    if (rule.isOfDocuments()) {
      statements.add(forget(names.detachedChanges(), rule));
      statements.add(forget(names.captures(), rule));
    } else {
      statements.add(
          SqlTemplate.fill(
              UNSEEN,
              Map.of(
                  "detached", names.detachedChanges(),
                  "captures", names.captures(),
                  "recorder", Quoted.literal(rule.recorder().value()),
                  "captured", Quoted.literal(rule.table().logged()))));
    }
    return new RemovalStep(rule.table(), statements);
  }

  /** Removes what a table of ours notes of a rule. */
  static String forget(String table, CaptureRule rule) {
    return SqlTemplate.fill(
        FORGET,
        Map.of(
            "table", table,
            "recorder", Quoted.literal(rule.recorder().value()),
            "captured", Quoted.literal(rule.table().logged())));
  }

  /** Of a snapshot that is under way nothing is removed. */
  private List<String> snapshots() {
    return rule.isOfDocuments() ? List.of() : SnapshotStatements.removal(names, rule);
  }

  /** All of it, for psql. */
  public String text() {
    StringBuilder script = new StringBuilder(PsqlPreamble.BEGINNING);
    List<RemovalStep> all = new ArrayList<>(steps());
    all.add(end());
    for (RemovalStep step : all) {
      script.append("BEGIN;\n");
      step.statements().forEach(statement -> script.append(statement).append(";\n"));
      script.append("COMMIT;\n");
    }
    return script.toString();
  }
}
