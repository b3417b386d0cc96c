package dev.recorder.postgres;

import dev.recorder.postgres.holders.Blockers;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.SqlCall;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;

/**
 * Explains failures of statements on the recorder's tables: names the blocker, or the command that
 * lists missing rights.
 */
public final class LockWaitDiagnosis {
  private LockWaitDiagnosis() {}

  /**
   * Makes the failure of a statement. After a lock time-out the message names the blocker, or says
   * that there is none any more. For a missing right it names the command that lists missing
   * rights. Call it outside of a transaction.
   *
   * @param tables all tables that the statement may have waited for
   */
  public static DatabaseException of(
      Connection connection, SQLException failure, List<String> tables) {
    return told(failure, () -> Blockers.of(connection, tables), String.join(", ", tables));
  }

  /**
   * Makes the failure of a statement that may have waited for any relation in the recorder's
   * schemas.
   */
  public static DatabaseException of(
      Connection connection, SQLException failure, SchemaNames schemas) {
    List<String> names = List.of(schemas.control(), schemas.handoff());
    return told(
        failure,
        () -> Blockers.inSchemas(connection, names, written(schemas)),
        "anything in schemas " + String.join(" and ", names));
  }

  /** Returns the tables in which commands and hosts write the same rows. */
  private static List<String> written(SchemaNames schemas) {
    return Stream.of(
            "info_recorders",
            "lock_recorders",
            "pauses",
            "operator_orders",
            "conditions",
            "verdicts",
            "incumbents")
        .map(schemas::table)
        .toList();
  }

  private static DatabaseException told(
      SQLException failure, SqlCall<String> search, String where) {
    String more =
        switch (String.valueOf(failure.getSQLState())) {
          case SqlStates.WAITED_FOR_LOCK -> inTheWay(search, where);
          case SqlStates.NO_RIGHT -> DatabaseException.RIGHTS_REMEDY;
          default -> "";
        };
    return more.isEmpty()
        ? DatabaseException.of(failure)
        : new DatabaseException(
            SqlStates.kindOf(failure), SqlStates.describe(failure) + more, failure);
  }

  /** Returns the blocker for the message, or that none was found. */
  private static String inTheWay(SqlCall<String> search, String where) {
    try {
      String who = search.run();
      return who.isEmpty() ? "; no session has locked " + where + " any more: try again" : who;
    } catch (SQLException notTold) {
      return "; the blocking session could not be determined: " + SqlStates.describe(notTold);
    }
  }
}
