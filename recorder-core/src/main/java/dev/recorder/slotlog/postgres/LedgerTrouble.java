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
 * Why a statement of a log failed, for whoever has to fix it. What is wrong with the database is so
 * for every host.
 */
final class LedgerTrouble {
  private final SchemaNames schemas;
  private final RecorderName recorder;

  LedgerTrouble(SchemaNames schemas, RecorderName recorder) {
    this.schemas = schemas;
    this.recorder = recorder;
  }

  /**
   * Whether it is the same on every host: all have one role, one set of tables and one server. It
   * is not if the statement came to nothing since the session ended, or since it met others.
   */
  static boolean isEverywhere(SQLException failure) {
    String state = String.valueOf(failure.getSQLState());
    DatabaseErrorKind kind = SqlStates.kindOf(failure);
    return state.equals(SqlStates.WAITED_FOR_LOCK)
        || state.equals(SqlStates.NO_RIGHT)
        || (kind == DatabaseErrorKind.FAILED && !state.equals(SqlStates.CACHED_PLAN));
  }

  /** To be asked when the failed transaction has ended, and the session is still there. */
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
      // What the statement failed with is told in any case.
    }
    return fault.isEmpty() ? DatabaseException.RIGHTS_REMEDY : "; " + fault;
  }

  /** What is known to be wrong with the table, and its remedy; else where to look. */
  private String changed(Connection connection) {
    String fault = "";
    try {
      fault = new HandoffShape(schemas, recorder, RecorderKind.LOG).fault(connection);
    } catch (SQLException notTold) {
      // What the statement failed with is told in any case.
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
