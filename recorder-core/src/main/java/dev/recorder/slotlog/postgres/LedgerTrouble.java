package dev.recorder.slotlog.postgres;

import dev.recorder.handoff.RecorderKind;
import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
import dev.recorder.postgres.SqlStates;
import dev.recorder.postgres.holders.Blockers;
import dev.recorder.postgres.sql.SchemaNames;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * Explains to operators why a statement of a log failed. A fault of the database affects every
 * host.
 */
final class LedgerTrouble {
  private final SchemaNames schemas;
  private final RecorderName recorder;

  LedgerTrouble(SchemaNames schemas, RecorderName recorder) {
    this.schemas = schemas;
    this.recorder = recorder;
  }

  /**
   * Returns whether the failure is the same on every host, as all hosts use the same role, tables
   * and server. It is not if the session ended, or if the statement collided with other
   * transactions.
   */
  static boolean isEverywhere(SQLException failure) {
    String state = String.valueOf(failure.getSQLState());
    DatabaseErrorKind kind = SqlStates.kindOf(failure);
    return state.equals(SqlStates.WAITED_FOR_LOCK)
        || state.equals(SqlStates.NO_RIGHT)
        || (kind == DatabaseErrorKind.FAILED && !state.equals(SqlStates.CACHED_PLAN));
  }

  /**
   * Returns the explanation. Call it after the failed transaction has ended, on a session that
   * still exists.
   */
  String of(Connection connection, SQLException failure) {
    String why = SqlStates.describe(failure);
    String state = String.valueOf(failure.getSQLState());
    if (state.equals(SqlStates.WAITED_FOR_LOCK)) {
      return why + blocker(connection);
    } else if (state.equals(SqlStates.NO_RIGHT)) {
      return why + hidden(connection);
    } else if (state.startsWith("42")) {
      return why + changed(connection);
    } else if (state.startsWith("23") || state.equals("P0001")) {
      return why
          + "; a constraint or trigger that is not the recorder's keeps it from writing, on all hosts"
          + " alike: remove it";
    }
    return why;
  }

  private String hidden(Connection connection) {
    String fault = "";
    try {
      fault = new RowSecurity(schemas, recorder).fault(connection);
    } catch (SQLException notTold) {
      // The failure of the statement is reported in any case.
    }
    return fault.isEmpty() ? DatabaseException.RIGHTS_REMEDY : "; " + fault;
  }

  /** Returns the known fault of the table and its remedy, or else where to look. */
  private String changed(Connection connection) {
    String fault = "";
    try {
      fault = new HandoffShape(schemas, recorder, RecorderKind.LOG).fault(connection);
    } catch (SQLException notTold) {
      // The failure of the statement is reported in any case.
    }
    return "; a table is not as the recorder made it, for all hosts alike: "
        + (fault.isEmpty()
            ? "put back what was dropped or changed, 'recorder schema' prints how it was"
            : fault);
  }

  private String blocker(Connection connection) {
    try {
      return Blockers.of(
          connection,
          List.of(
              schemas.handoffTable(recorder),
              schemas.table("lock_recorders"),
              schemas.table("slots"),
              schemas.table("exclusions")));
    } catch (SQLException notTold) {
      return "; the blocking session could not be determined: " + SqlStates.describe(notTold);
    }
  }
}
