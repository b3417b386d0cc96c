package dev.recorder.capture.postgres;

import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The turns to look at recorders of requests: one advisory lock for each recorder, so that only one
 * host looks at a time. Two hosts that set up the same capture at the same time would make each
 * other fail. The locks end with the session at the latest.
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

  /** Takes the turns that are free, without waiting for the others. */
  static LookTurns take(Connection connection, Set<RecorderName> recorders) throws SQLException {
    LookTurns turns = new LookTurns(connection);
    for (RecorderName recorder : recorders) {
      if (turns.ask(TAKE, recorder)) {
        turns.taken.add(recorder);
      }
    }
    return turns;
  }

  /** Returns the recorders whose turn this session has until {@link #close}. */
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
