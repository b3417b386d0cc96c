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
 * The SQL that ends a capture, in one transaction for each table, so that no writer waits for all
 * of them. It may be interrupted anywhere and run again.
 *
 * <p>The table itself comes first, then the tables below it, parents before partitions. Hosts arm a
 * new partition only if a table above it is armed, so no table is armed again. The function and the
 * notes on the capture are removed last, when no trigger is left.
 *
 * @param relations the tables that have the triggers, in this order
 */
public record CaptureRemoval(CaptureNames names, CaptureRule rule, List<TableName> relations) {
  public CaptureRemoval {
    relations = List.copyOf(relations);
  }

  /** The statements of one transaction, and the table that it locks. */
  public record RemovalStep(TableName table, List<String> statements) {}

  /** Returns one step for each table. */
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

  /**
   * Notes that the capture was ended: if a table is captured again under this name, copies lack the
   * changes made meanwhile.
   */
  private static final String UNSEEN =
      """
      WITH ended AS (
        DELETE FROM {captures} WHERE recorder = {recorder} AND captured = {captured}
        RETURNING recorder, captured, relation)
      INSERT INTO {detached} (recorder, captured, relation) SELECT * FROM ended""";

  private static final String FORGET =
      "DELETE FROM {table} WHERE recorder = {recorder} AND captured = {captured}";

  /**
   * Returns the last step, which drops the functions and the notes. Fails while a trigger exists.
   */
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

  /** Returns the statement that deletes a rule's rows from one of the recorder's tables. */
  static String forget(String table, CaptureRule rule) {
    return SqlTemplate.fill(
        FORGET,
        Map.of(
            "table", table,
            "recorder", Quoted.literal(rule.recorder().value()),
            "captured", Quoted.literal(rule.table().logged())));
  }

  /**
   * Returns the statements that delete the notes on snapshots. They fail while a snapshot is
   * running.
   */
  private List<String> snapshots() {
    return rule.isOfDocuments() ? List.of() : SnapshotStatements.removal(names, rule);
  }

  /** Returns the whole script, for psql. */
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
