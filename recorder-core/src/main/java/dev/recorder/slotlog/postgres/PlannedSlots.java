package dev.recorder.slotlog.postgres;

import dev.recorder.handoff.Position;
import dev.recorder.handoff.Snapshot;
import dev.recorder.handoff.Window;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.slotlog.LogHead;
import dev.recorder.slotlog.SlotContent;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the earlier plans of a log from {@code slots}, of this term or an earlier one. */
public final class PlannedSlots {
  private final int lockId;
  private final Sql window;
  private final Sql planned;

  public PlannedSlots(SchemaNames schemas, int lockId) {
    Map<String, String> pieces = Map.of("since_rebase", SINCE_REBASE);
    this.lockId = lockId;
    this.window = Sql.in(schemas, WINDOW, pieces);
    this.planned = Sql.in(schemas, PLANNED, pieces);
  }

  /** Plans from before a rebase have another server's transaction numbers. */
  private static final String SINCE_REBASE =
      "epoch > (SELECT rebased_epoch FROM {lock_recorders} r WHERE r.lock_id = s.lock_id)";

  private static final String WINDOW =
      """
      SELECT window_from::text, window_to::text, window_complete FROM {slots} s
      WHERE lock_id = :lock AND slot = :slot AND sha256 = :sha AND window_from::text = :from
        AND {since_rebase}
      """;

  /**
   * Returns the window under which this content was planned before, from the same position; null if
   * it was not.
   */
  @Nullable Window window(Connection connection, SlotContent content) throws SQLException {
    try (SqlStatement statement = window.on(connection)) {
      return statement
          .set("lock", lockId)
          .set("slot", content.slot())
          .set("sha", content.sha256())
          .set("from", content.window().from().toString())
          .first(PlannedSlots::window)
          .orElse(null);
    }
  }

  private static final String PLANNED =
      """
      SELECT window_from::text, window_to::text, window_complete, last_xid::text, last_id
      FROM {slots} s
      WHERE lock_id = :lock AND slot = :slot AND sha256 = :sha AND window_to IS NOT NULL
        AND {since_rebase}
      """;

  /**
   * Returns the position after the slot that follows {@code head}, if this database planned that
   * content from {@code head}'s position. The plan's commit came after the commits of all rows that
   * it covers, and so made them durable.
   */
  public Optional<Position> position(Connection connection, LogHead head, String sha256)
      throws SQLException {
    try (SqlStatement statement = planned.on(connection);
        ResultSet row =
            statement
                .set("lock", lockId)
                .set("slot", head.lastSlot() + 1)
                .set("sha", sha256)
                .query()) {
      if (!row.next()) {
        return Optional.empty();
      }
      Window window = window(row);
      return window.from().equals(head.position().done())
          ? Optional.of(window.after(Long.parseLong(row.getString(4)), row.getLong(5)))
          : Optional.empty();
    }
  }

  private static Window window(ResultSet row) throws SQLException {
    return new Window(
        Snapshot.parse(row.getString(1)), Snapshot.parse(row.getString(2)), row.getBoolean(3));
  }
}
