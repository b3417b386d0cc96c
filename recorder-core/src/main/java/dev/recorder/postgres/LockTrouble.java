package dev.recorder.postgres;

import dev.recorder.postgres.holders.Blockers;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.SqlCall;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;

/** Failures of statements about our tables: they say who was in the way, or where to look. */
public final class LockTrouble {
  private LockTrouble() {}

  /**
   * What a statement failed with; if it has given up waiting for a lock, also its holder, or that
   * nobody has it any more; if a right is missing, also who knows which. To be asked outside of a
   * transaction.
   *
   * @param tables all that it may have waited for
   */
  public static DatabaseException of(
      Connection connection, SQLException failure, List<String> tables) {
    return told(failure, () -> Blockers.of(connection, tables), String.join(", ", tables));
  }

  /** The same of a statement that may have waited for anything in our schemas. */
  public static DatabaseException of(
      Connection connection, SQLException failure, SchemaNames schemas) {
    List<String> names = List.of(schemas.control(), schemas.handoff());
    return told(
        failure,
        () -> Blockers.inSchemas(connection, names, written(schemas)),
        "anything in schemas " + String.join(" and ", names));
  }

  /** Those of which commands and hosts write the same rows. */
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

  /** Nobody was found where we looked: no more than that is said. */
  private static String inTheWay(SqlCall<String> search, String where) {
    try {
      String who = search.run();
      return who.isEmpty() ? "; no session has locked " + where + " any more: try again" : who;
    } catch (SQLException notTold) {
      return "; the blocking session could not be determined: " + SqlStates.describe(notTold);
    }
  }
}
