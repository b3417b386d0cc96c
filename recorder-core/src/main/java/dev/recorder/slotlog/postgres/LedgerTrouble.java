package dev.recorder.slotlog.postgres;

import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.SqlStates;
import dev.recorder.postgres.holders.Blockers;
import dev.recorder.postgres.sql.SchemaNames;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * Why a statement of a log failed, for who has to do something about it. What is wrong with the
 * database is so for every host.
 */
final class LedgerTrouble {
  private static final String READ_ONLY = "25006";
  private static final String DISK_FULL = "53100";

  private final SchemaNames schemas;
  private final RecorderName recorder;

  LedgerTrouble(SchemaNames schemas, RecorderName recorder) {
    this.schemas = schemas;
    this.recorder = recorder;
  }

  /** Whether it is the same on every host: all have one role and one set of tables. */
  static boolean isEverywhere(SQLException failure) {
    String state = String.valueOf(failure.getSQLState());
    return state.equals(SqlStates.WAITED_FOR_LOCK)
        || state.startsWith("42")
        || state.equals(READ_ONLY)
        || state.equals(DISK_FULL);
  }

  /** To be asked when the failed transaction has ended, and the session is still there. */
  String of(Connection connection, SQLException failure) {
    String why = SqlStates.describe(failure);
    String state = String.valueOf(failure.getSQLState());
    if (state.equals(SqlStates.WAITED_FOR_LOCK)) {
      return why + blocker(connection);
    } else if (state.equals("42501")) {
      return why + "; 'recorder check --online' prints the rights that are missing";
    } else if (state.startsWith("42")) {
      return why
          + "; a table is not as the recorder made it, for all hosts alike: put back what was dropped"
          + " or changed, 'recorder schema' prints how it was";
    }
    return why;
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
      return "; who is in its way could not be found out: " + SqlStates.describe(notTold);
    }
  }
}
