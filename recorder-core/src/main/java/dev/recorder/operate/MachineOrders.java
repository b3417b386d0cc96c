package dev.recorder.operate;

import dev.recorder.postgres.RdsManager;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/**
 * Orders of one sort, from the side of the machine that carries them out.
 *
 * @param <T> an order
 */
public interface MachineOrders<T extends MachineOrders.Numbered> {
  /** What can be answered. */
  interface Numbered {
    long id();
  }

  /** Their table, as messages name it. */
  String table();

  /**
   * Takes the oldest order that was addressed to this machine on this session; empty if none.
   *
   * @param identity of the session that {@code connection} is; with another's nothing is taken
   */
  Optional<T> take(Connection connection, String machine, RdsManager.Identity identity)
      throws SQLException;

  /** Says what became of an order that was taken, on whatever session. Safe to repeat. */
  boolean answer(Connection connection, long id, String json) throws SQLException;
}
