package dev.recorder.replay.postgres;

import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * A change's place in the order of effects.
 *
 * @param era of the log, see {@link Eras}
 * @param seq number of its statement
 * @param slot of the change
 * @param row its row in the slot
 */
record Place(int era, long seq, long slot, int row) {
  static final Place START = new Place(-1, 0, 0, 0);
  static final Place END = new Place(Integer.MAX_VALUE, 0, 0, 0);

  /** Reads the place of a staged change. */
  static Place of(ResultSet row) throws SQLException {
    return new Place(
        row.getInt("era"), row.getLong("seq"), row.getLong("slot"), row.getInt("place"));
  }
}
