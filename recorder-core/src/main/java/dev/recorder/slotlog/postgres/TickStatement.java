package dev.recorder.slotlog.postgres;

import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.DataSession;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.SqlStates;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import java.sql.SQLException;
import java.util.Map;

/**
 * Inserts a row {@code {"tick":n}} into a recorder's own hand-off table, n one more than in the row
 * before. Runs on its data session's thread.
 */
public final class TickStatement {
  /** Others may insert here, too: what is no tick does not stop the clock. */
  private static final String TICK =
      """
      INSERT INTO {table} (key, payload)
      SELECT 'timer', json_build_object('tick', 1 + coalesce((
        SELECT CASE WHEN payload->>'tick' ~ '^[0-9]{1,18}$' THEN (payload->>'tick')::bigint END
        FROM {table} ORDER BY xid DESC, id DESC LIMIT 1), 0))
      """;

  private final DataSession session;
  private final Sql tick;

  public TickStatement(DataSession session, RecorderName recorder) {
    this.session = session;
    this.tick = Sql.of(TICK, Map.of("table", session.schemas().handoffTable(recorder)));
  }

  /** Commits one row; without an answer of the database the tick is left out. */
  public void insert() {
    try (SqlStatement statement = tick.on(session.connection())) {
      statement.update();
    } catch (SQLException e) {
      if (!SqlStates.sessionSurvives(e)) {
        session.abort();
      }
    } catch (DatabaseException unreachable) {
      // The writer on the same session meets the same, and tells the operator.
    }
  }
}
