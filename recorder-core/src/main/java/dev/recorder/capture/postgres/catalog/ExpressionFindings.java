package dev.recorder.capture.postgres.catalog;

import dev.recorder.capture.CaptureNames;
import dev.recorder.capture.CaptureRule;
import dev.recorder.capture.TableName;
import dev.recorder.capture.script.NamedColumns;
import dev.recorder.postgres.SqlStates;
import dev.recorder.postgres.Transaction;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds expressions of captures that have become unusable since the set-up. Functions, types and
 * enum labels that an expression names can be renamed or dropped. Then every change of the table
 * fails.
 */
public final class ExpressionFindings {
  private final Connection connection;
  private final CaptureNames names;

  public ExpressionFindings(Connection connection, CaptureNames names) {
    this.connection = connection;
    this.names = names;
  }

  /** Returns the findings about some captures. A missing right to check is a finding, too. */
  public List<CaptureFinding> of(List<Capture> captures) throws SQLException {
    List<CaptureFinding> findings = new ArrayList<>();
    for (Capture capture : captures) {
      TableName table = capture.table();
      if (table != null) {
        try (Transaction transaction = Transaction.begin(connection)) {
          of(capture, table).ifPresent(findings::add);
        } catch (SQLException e) {
          if (!SqlStates.NO_RIGHT.equals(e.getSQLState())) {
            throw e;
          }
          findings.add(
              finding(
                  capture.rule(),
                  false,
                  "whether statements on it fail is not known: %s; grant this role that right"
                      .formatted(SqlStates.describe(e))));
        }
      }
    }
    return findings;
  }

  private Optional<CaptureFinding> of(Capture capture, TableName table) throws SQLException {
    CaptureRule rule = capture.rule();
    if (!rule.isOfDocuments()) {
      String unread = ExpressionCheck.unreadOf(connection, rule, table);
      if (!unread.isEmpty()) {
        return areColumnsThere(rule)
            ? Optional.of(finding(rule, true, failing(rule, table, unread)))
            : Optional.empty(); // Its columns have changed, so the triggers leave it out.
      }
    }
    Optional<CaptureFinding> found = MomentCheck.ofCondition(connection, rule, table);
    return found.isEmpty() && rule.isOfDocuments()
        ? new EntityCheck(connection, rule).finding(names, capture.relations())
        : found;
  }

  private static String failing(CaptureRule rule, TableName table, String unread) {
    return "each change of %s fails: %s; run recorder capture add %s --recorder %s --again, with the options of the capture and another expression"
        .formatted(table, unread, table, rule.recorder());
  }

  private static CaptureFinding finding(CaptureRule rule, boolean losesChanges, String text) {
    return new CaptureFinding(rule.recorder().value(), rule.table().logged(), losesChanges, text);
  }

  private static final String ARE_COLUMNS_THERE =
      """
      SELECT EXISTS (SELECT FROM {captures} c
        WHERE c.recorder = :recorder AND c.captured = :captured AND {are_there})
      """;

  private boolean areColumnsThere(CaptureRule rule) throws SQLException {
    Map<String, String> pieces =
        Map.of("are_there", NamedColumns.areThere("c.named_columns", "c.relation", "c.relation"));
    try (SqlStatement statement =
        Sql.in(names.schemas(), ARE_COLUMNS_THERE, pieces).on(connection)) {
      return statement
          .set("recorder", rule.recorder().value())
          .set("captured", rule.table().logged())
          .truth();
    }
  }
}
