package dev.recorder.slotlog.postgres;

import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.pin.DatabasePin;
import dev.recorder.postgres.pin.PinnedDatabase;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.slotlog.LossSigns;
import dev.recorder.slotlog.ObjectMetadata;
import java.sql.Connection;
import java.sql.SQLException;

/** Queries the {@link LossSigns} of a log. */
public final class LossQuery {
  private final DatabasePin pin;
  private final RecorderName recorder;
  private final int lockId;
  private final Sql signs;

  public LossQuery(SchemaNames names, RecorderName recorder, int lockId) {
    this.pin = new DatabasePin(names);
    this.recorder = recorder;
    this.lockId = lockId;
    this.signs = Sql.in(names, SIGNS);
  }

  /**
   * Slots that were adopted by row identity follow the last slot with a window. They do not show
   * what was lost before them, so a missing row among them also counts as a hole. Deleting rows of
   * {@code slots} that are not needed keeps the last row with a window and all later rows.
   */
  private static final String SIGNS =
      """
      SELECT
        pg_postmaster_start_time() > coalesce(r.own_settled_at, '-infinity'),
        (SELECT count(DISTINCT s.slot) FROM {slots} s
          WHERE s.lock_id = r.lock_id AND s.slot > known.slot AND s.slot <= r.last_slot)
          < r.last_slot - known.slot,
        EXISTS (
          SELECT FROM {slots} s
          WHERE s.lock_id = r.lock_id AND s.slot = :slot AND s.sha256 = :sha)
      FROM {lock_recorders} r, LATERAL (
        SELECT greatest(0,
          (SELECT max(s.slot) FROM {slots} s WHERE s.lock_id = r.lock_id
            AND s.slot <= r.last_slot AND s.window_to IS NOT NULL)) AS slot) known
      WHERE r.lock_id = :lock
      """;

  /**
   * Returns why a slot in the store belongs to another database; empty if this database planned the
   * slot, or can have lost its plan. Call it outside of a transaction.
   */
  public String refusal(Connection connection, ObjectMetadata object) throws SQLException {
    PinnedDatabase found = pin.look(connection, lockId);
    try (SqlStatement statement = signs.on(connection)) {
      return statement
          .set("lock", lockId)
          .set("slot", object.slot())
          .set("sha", object.sha256())
          .first(
              row ->
                  new LossSigns(
                          found.here(),
                          found.pinned(),
                          found.all(),
                          row.getBoolean(3),
                          row.getBoolean(1),
                          row.getBoolean(2))
                      .refusal(recorder, object))
          .orElse("");
    }
  }
}
