package dev.recorder.replay.postgres;

import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * A change's place in the order of effects.
 *
 * @param era the {@link Eras} of the log
 * @param seq the number of its statement
 * @param slot where the log has it
 * @param row its row there
 */
record Place(int era, long seq, long slot, int row) {
  static final Place START = new Place(-1, 0, 0, 0);
  static final Place END = new Place(Integer.MAX_VALUE, 0, 0, 0);

  /** That of a change, as it is kept until it is applied. */
  static Place of(ResultSet row) throws SQLException {
    return new Place(
        row.getInt("era"), row.getLong("seq"), row.getLong("slot"), row.getInt("place"));
  }
}
