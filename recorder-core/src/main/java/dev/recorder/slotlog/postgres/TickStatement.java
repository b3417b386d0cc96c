package dev.recorder.slotlog.postgres;

import dev.recorder.handoff.RecorderName;
import dev.recorder.logging.OutageLog;
import dev.recorder.postgres.DataSession;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.SqlStates;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import java.sql.SQLException;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Inserts a row {@code {"tick":n}} into a recorder's own hand-off table, n one more than in the row
 * before. Runs on its data session's thread.
 */
public final class TickStatement {
  /**
   * Other programs may insert rows, too, and a row that is no tick must not stop the clock. So the
   * payload's text is compared with the form that this statement writes: not every JSON value can
   * be read as an object.
   */
  private static final String TICK =
      """
      INSERT INTO {table} (key, payload)
      SELECT 'timer', json_build_object('tick', 1 + coalesce((
        SELECT CASE WHEN payload::text ~ '^[{]"tick" ?: ?[0-9]{1,18}[}]$'
          THEN (payload->>'tick')::bigint END
        FROM {table} ORDER BY xid DESC, id DESC LIMIT 1), 0))
      """;

  private static final Logger log = LoggerFactory.getLogger(TickStatement.class);

  private final OutageLog outage = new OutageLog(log, "the database, for ticks,");
  private final DataSession session;
  private final Sql tick;

  public TickStatement(DataSession session, RecorderName recorder) {
    this.session = session;
    this.tick = Sql.of(TICK, Map.of("table", session.schemas().handoffTable(recorder)));
  }

  /**
   * Commits one row. If the database does not answer, the tick is left out. A failure of the
   * statement alone is logged once.
   */
  public void insert() {
    try (SqlStatement statement = tick.on(session.connection())) {
      statement.update();
      outage.up();
    } catch (SQLException e) {
      if (SqlStates.sessionSurvives(e)) {
        outage.down(SqlStates.describe(e));
      } else {
        session.abort();
      }
    } catch (DatabaseException unreachable) {
      // The writer on the same session meets and reports the same failure.
    }
  }
}
