package dev.recorder.leadership.postgres;

import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
import dev.recorder.postgres.Sessions;
import dev.recorder.postgres.SqlConnections;
import dev.recorder.postgres.SqlStates;
import dev.recorder.postgres.settings.SettingOverrides;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/**
 * Waits, on a session of its own, for the lock on another machine's name, which that machine's
 * control session holds as long as it lives ({@link Heartbeats#takeName}): so its end is noticed at
 * once, and not at the next look. What is granted is let go of in the same statement.
 *
 * <p>A statement that waits holds back {@code xmin}, and one that waits for longer than {@code
 * deadlock_timeout} may be written to the server's log: each wait is shorter than both matter. One
 * thread at a time, except {@link #close}. Its methods throw {@link DatabaseException}; the session
 * is then to be closed.
 */
public final class PeerSession implements AutoCloseable {
  /** Longest wait of one statement. */
  private static final Duration LONGEST_WAIT = Duration.ofMillis(800);

  private final Connection connection;
  private final Sessions sessions;
  private final Duration longestWait;

  private PeerSession(Connection connection, Sessions sessions, Duration longestWait) {
    this.connection = connection;
    this.sessions = sessions;
    this.longestWait = longestWait;
  }

  /** Opens a session. */
  public static PeerSession open(Sessions sessions) {
    Connection connection = sessions.openPeer();
    try {
      Duration wait = SettingOverrides.shortWaits(connection, LONGEST_WAIT);
      return new PeerSession(connection, sessions, wait);
    } catch (SQLException e) {
      SqlConnections.abort(connection);
      throw failure(e);
    }
  }

  private static final Sql NAME =
      Sql.of("SELECT set_config('recorder.peer_key', (:key::bigint)::text, false)");

  /** A time-out that is met in the block is no error, and not in the server's log. */
  private static final String WAIT =
      """
      DO $$ BEGIN
        PERFORM set_config('recorder.peer_ended', 'false', false);
        BEGIN
          PERFORM pg_advisory_xact_lock_shared(current_setting('recorder.peer_key')::bigint);
          PERFORM set_config('recorder.peer_ended', 'true', false);
        EXCEPTION WHEN lock_not_available THEN NULL;
        END;
      END $$;
      SELECT current_setting('recorder.peer_ended')::boolean\
      """;

  /**
   * Waits for the end of a machine's control session, for less than a second. The server may still
   * list the session for a moment.
   *
   * @return whether it has ended, or there was none
   */
  public boolean awaitEnd(String machine) {
    try (SqlStatement name = NAME.on(connection);
        Statement wait = connection.createStatement()) {
      var unused =
          name.set("key", sessions.schemas().machineLockKey(machine))
              .first(row -> row.getString(1));
      wait.execute(WAIT);
      wait.getMoreResults();
      try (ResultSet row = wait.getResultSet()) {
        return row.next() && row.getBoolean(1);
      }
    } catch (SQLException e) {
      throw failure(e);
    }
  }

  /** Longest wait of this session's statements. */
  Duration longestWait() {
    return longestWait;
  }

  /** Ends the session, from any thread. */
  @Override
  public void close() {
    SqlConnections.abort(connection);
  }

  private static DatabaseException failure(SQLException e) {
    return new DatabaseException(
        SqlStates.sessionSurvives(e) ? SqlStates.kindOf(e) : DatabaseErrorKind.UNREACHABLE,
        SqlStates.describe(e),
        e);
  }
}
