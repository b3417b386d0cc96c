package dev.recorder.slotlog.postgres;

import dev.recorder.handoff.HandoffRow;
import java.sql.ResultSet;
import java.sql.SQLException;

/** The columns of a hand-off table {@code h}, as they become a row. */
final class HandoffColumns {
  static final String ALL =
      "h.id, h.xid::text, (extract(epoch FROM h.time) * 1000000)::bigint, h.key, h.payload";

  /** Whether a row has a time that can be recorded: one up to {@link BinaryRows#LATEST}. */
  static final String CAN_BE_NAMED =
      "(isfinite(h.time) AND h.time < '294247-01-10 04:00:54.775807+00')";

  private HandoffColumns() {}

  /** The row that {@code rows} stands on. */
  static HandoffRow row(ResultSet rows) throws SQLException {
    return new HandoffRow(
        rows.getLong(1),
        Long.parseUnsignedLong(rows.getString(2)),
        rows.getLong(3),
        rows.getString(4),
        rows.getString(5));
  }
}
