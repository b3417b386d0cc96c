package dev.recorder.slotlog.postgres;

import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.DataSession;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.SqlStates;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * Inserts a row {@code {"tick":n}} into a recorder's own hand-off table, n one more than in the row
 * before. Runs on its data session's thread.
 */
public final class TickStatement {
  private final DataSession session;
  private final String sql;

  public TickStatement(DataSession session, RecorderName recorder) {
    this.session = session;
    String table = session.schemas().handoffTable(recorder);
    this.sql =
        "INSERT INTO "
            + table
            + " (key, payload) SELECT 'timer', json_build_object('tick', 1 + coalesce("
            // Others may insert here, too: what is no tick does not stop the clock.
            + "(SELECT CASE WHEN payload->>'tick' ~ '^[0-9]{1,18}$' THEN (payload->>'tick')::bigint"
            + " END FROM "
            + table
            + " ORDER BY xid DESC, id DESC LIMIT 1), 0))";
  }

  /** Commits one row; without an answer of the database the tick is left out. */
  public void insert() {
    try (PreparedStatement statement = session.connection().prepareStatement(sql)) {
      statement.executeUpdate();
    } catch (SQLException e) {
      if (!SqlStates.sessionSurvives(e)) {
        session.abort();
      }
    } catch (DatabaseException unreachable) {
      // The writer on the same session meets the same, and tells the operator.
    }
  }
}
