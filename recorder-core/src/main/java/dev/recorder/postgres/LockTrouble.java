package dev.recorder.postgres;

import dev.recorder.postgres.holders.Blockers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Failures that say who was in the way. */
public final class LockTrouble {
  private LockTrouble() {}

  /**
   * What a statement failed with; if it has given up waiting for a lock, also who has it, or that
   * nobody has it any more. To be asked outside of a transaction.
   *
   * @param tables those that it may have waited for
   */
  public static DatabaseException of(
      Connection connection, SQLException failure, List<String> tables) {
    if (!SqlStates.WAITED_FOR_LOCK.equals(failure.getSQLState())) {
      return DatabaseException.of(failure);
    }
    return new DatabaseException(
        SqlStates.kindOf(failure),
        SqlStates.describe(failure) + inTheWay(connection, tables),
        failure);
  }

  private static String inTheWay(Connection connection, List<String> tables) {
    try {
      String who = Blockers.of(connection, tables);
      return who.isEmpty() ? "; nobody is in its way any more: try again" : who;
    } catch (SQLException notTold) {
      return "; who is in its way could not be found out: " + SqlStates.describe(notTold);
    }
  }
}
