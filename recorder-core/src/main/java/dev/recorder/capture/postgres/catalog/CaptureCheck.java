package dev.recorder.capture.postgres.catalog;

import dev.recorder.capture.CaptureNames;
import dev.recorder.capture.script.StaleMark;
import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.schema.PayloadLimit;
import dev.recorder.schema.ServerQueries;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * Finds reasons for which changes of captured tables are not captured.
 *
 * <p>A capture's tables are the captured table and the partitions below it. The check locks none of
 * them. Changes that were made while a trigger was disabled cannot be found later. So a check by a
 * role that may do so notes the loss in the table of captures, and the note remains when the cause
 * is over.
 */
public final class CaptureCheck {
  private final Connection connection;
  private final CaptureNames names;
  private final Sql all;
  private final Sql ofOne;

  public CaptureCheck(Connection connection, CaptureNames names) {
    this.connection = connection;
    this.names = names;
    this.all = FindingQueries.all(names);
    this.ofOne = FindingQueries.ofOne(names);
  }

  public List<CaptureFinding> all() throws SQLException {
    return of(Set.of());
  }

  /**
   * Returns the findings about the captures of some recorders, and notes losses.
   *
   * @param recorders the recorders; empty for all
   */
  public List<CaptureFinding> of(Set<RecorderName> recorders) throws SQLException {
    if (!ServerQueries.exists(connection, names.captures())) {
      return List.of();
    }
    List<SeenState> seen = seen(recorders);
    note(recorders, seen);
    return seen.stream().map(SeenState::finding).toList();
  }

  /**
   * A finding, and whether its loss is to be noted.
   *
   * @param lasts whether its cause exists now and loses changes for as long as it exists
   * @param version version of the capture when the finding was made; if the capture was set up
   *     again since then, nothing is noted
   */
  private record SeenState(CaptureFinding finding, boolean lasts, String version) {
    /**
     * Returns whether the finding is a loss. An unarmed partition alone is none: it may be empty.
     */
    boolean isLoss() {
      return finding.losesChanges() && finding.unarmed() == null;
    }

    boolean isToNote() {
      return lasts && !finding.settingUp();
    }
  }

  private List<SeenState> seen(Set<RecorderName> recorders) throws SQLException {
    try (SqlStatement statement = all.on(connection)) {
      return statement
          .set("limit", PayloadLimit.NAME)
          .setArray("recorders", "text", recorders.stream().map(RecorderName::value).toArray())
          .all(
              row ->
                  new SeenState(finding(row), row.getBoolean("lasts"), row.getString("version")));
    }
  }

  /**
   * Returns the findings by which a capture loses changes now, or may have lost changes by
   * statements that named an unarmed partition. {@link CaptureFinding#state()} states each cause.
   * Notes nothing.
   *
   * @param logged the table's name in the log
   */
  List<CaptureFinding> losses(RecorderName recorder, String logged) throws SQLException {
    if (!ServerQueries.exists(connection, names.captures())) {
      return List.of();
    }
    List<CaptureFinding> losses = new ArrayList<>();
    for (SeenState seen : seen(Set.of(recorder))) {
      CaptureFinding finding = seen.finding();
      Long unarmed = finding.unarmed();
      if (finding.table().equals(logged)
          && (seen.lasts() || (unarmed != null && isWritten(connection, unarmed)))) {
        losses.add(finding);
      }
    }
    return losses;
  }

  private static final Sql WRITTEN =
      Sql.of(
          """
          SELECT c.relkind = 'r'
            AND (pg_relation_size(c.oid) > 0 OR pg_relation_filenode(c.oid) <> c.oid)
          FROM pg_class c WHERE c.oid = :partition::oid
          """);

  /**
   * Returns whether a partition has, or had, rows: its file has a page, or TRUNCATE has given it a
   * new file. Waits if another session has locked the partition.
   */
  public static boolean isWritten(Connection connection, long partition) throws SQLException {
    try (SqlStatement statement = WRITTEN.on(connection)) {
      return statement.set("partition", partition).truth();
    }
  }

  private static final Sql MAY_NOTE =
      Sql.of(
          """
          SELECT current_setting('transaction_read_only') = 'off'
            AND has_column_privilege(:captures, 'stale_at', 'UPDATE')
            AND has_column_privilege(:captures, 'stale_why', 'UPDATE')
          """);

  /**
   * Notes findings in the table of captures, so that they remain for as long as copies may lack
   * changes. If the role or the transaction may only read, nothing is noted.
   */
  private void note(Set<RecorderName> recorders, List<SeenState> seen) throws SQLException {
    if (seen.stream().noneMatch(SeenState::isLoss) || !mayNote()) {
      return;
    }
    Set<List<String>> captures = new HashSet<>();
    List<SeenState> first =
        seen.stream()
            .filter(SeenState::isToNote)
            .filter(
                each -> captures.add(List.of(each.finding().recorder(), each.finding().table())))
            .toList();
    try (SqlStatement statement = Sql.in(names.schemas(), StaleMark.NOTE).on(connection)) {
      statement
          .setArray("looked_at", "text", recorders.stream().map(RecorderName::value).toArray())
          .setArray("recorders", "text", of(first, each -> each.finding().recorder()))
          .setArray("tables", "text", of(first, each -> each.finding().table()))
          .setArray("whys", "text", of(first, each -> each.finding().state()))
          .setArray("versions", "text", of(first, SeenState::version))
          .update();
    }
  }

  private static Object[] of(List<SeenState> seen, Function<SeenState, String> what) {
    return seen.stream().map(what).toArray();
  }

  private boolean mayNote() throws SQLException {
    try (SqlStatement statement = MAY_NOTE.on(connection)) {
      return statement.set("captures", names.captures()).truth();
    }
  }

  /**
   * Returns warnings about changes of a captured table: limits on temporary files, and triggers of
   * others.
   *
   * @param logged the table's name in the log
   */
  public List<CaptureFinding> warnings(RecorderName recorder, String logged) throws SQLException {
    try (SqlStatement statement = ofOne.on(connection)) {
      return statement
          .setArray("recorders", "text", new Object[] {recorder.value()})
          .set("recorder", recorder.value())
          .set("captured", logged)
          .all(CaptureCheck::finding);
    }
  }

  private static CaptureFinding finding(ResultSet row) throws SQLException {
    return new CaptureFinding(
        row.getString("recorder"),
        row.getString("captured"),
        row.getBoolean("loses"),
        row.getString("text"),
        row.getObject("unarmed", Long.class),
        row.getObject("stray", Long.class),
        row.getBoolean("setting_up"));
  }
}
