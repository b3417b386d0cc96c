package dev.recorder.replay.postgres;

import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * A change's place in the order of effects.
 *
 * @param era the change's era, see {@link LogTimelines}
 * @param seq the number of its statement
 * @param slot the slot with the change
 * @param row its row in the slot
 */
record EffectPosition(int era, long seq, long slot, int row) {
  static final EffectPosition START = new EffectPosition(-1, 0, 0, 0);
  static final EffectPosition END = new EffectPosition(Integer.MAX_VALUE, 0, 0, 0);

  /** Reads the place of a staged change. */
  static EffectPosition of(ResultSet row) throws SQLException {
    return new EffectPosition(
        row.getInt("era"), row.getLong("seq"), row.getLong("slot"), row.getInt("place"));
  }
}
