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
 * Looks for changes that no trigger of ours sees.
 *
 * <p>A capture's tables are the one that it is of and the partitions below it, which are found
 * without a lock on any. What happened while a trigger was disabled cannot be seen afterwards: so
 * whoever looks notes by what changes are lost, and the note outlasts it.
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
   * The same of some recorders.
   *
   * @param recorders empty for all
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
   * A finding.
   *
   * @param lasts whether it is by something that is so now and loses changes as long as it is
   * @param version of the capture that it was seen at: what was set up since is not noted as lost
   */
  private record SeenState(CaptureFinding finding, boolean lasts, String version) {
    /** A partition that is not armed yet may not have been written to. */
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
   * By what a capture loses changes now, or has perhaps lost some that named a partition: each as
   * {@link CaptureFinding#state()} says it. Notes nothing.
   *
   * @param logged what its table is called in the log
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
   * Whether a partition has, or had, rows: the first takes a page, and TRUNCATE a new file. Waits
   * for whoever has it locked.
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
   * Has findings outlast what they are by, for as long as copies may lack something. Whoever may
   * only look notes nothing.
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
   * What changes of a table that is captured run into: limits on temporary files, and triggers of
   * others.
   *
   * @param logged what it is called in the log
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
