package dev.recorder.capture.postgres;

import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Of recorders that several machines look at, those that nobody else looks at now: a lock each,
 * which ends with the session at the latest. Two that set up the same capture at the same time
 * would fail each other.
 */
final class LookTurns implements AutoCloseable {
  private static final Sql TAKE =
      Sql.of("SELECT pg_try_advisory_lock(hashtextextended('captures of ' || :recorder, 0))");

  private static final Sql GIVE =
      Sql.of("SELECT pg_advisory_unlock(hashtextextended('captures of ' || :recorder, 0))");

  private final Connection connection;
  private final Set<RecorderName> taken = new LinkedHashSet<>();

  private LookTurns(Connection connection) {
    this.connection = connection;
  }

  /** Those of them that are free; waits for none. */
  static LookTurns take(Connection connection, Set<RecorderName> recorders) throws SQLException {
    LookTurns turns = new LookTurns(connection);
    for (RecorderName recorder : recorders) {
      if (turns.ask(TAKE, recorder)) {
        turns.taken.add(recorder);
      }
    }
    return turns;
  }

  /** Whose turn it is until this is closed. */
  Set<RecorderName> taken() {
    return taken;
  }

  private boolean ask(Sql question, RecorderName recorder) throws SQLException {
    try (SqlStatement statement = question.on(connection)) {
      return statement.set("recorder", recorder.value()).truth();
    }
  }

  @Override
  public void close() throws SQLException {
    for (RecorderName recorder : taken) {
      ask(GIVE, recorder);
    }
  }
}
