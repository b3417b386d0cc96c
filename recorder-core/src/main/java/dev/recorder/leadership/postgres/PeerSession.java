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
 * Notices the end of another host's control session at once, before the next watch. That session
 * holds the lock on its host's name as long as it lives ({@link Heartbeats#takeName}). This class
 * waits for the lock on a session of its own, and releases it in the same statement.
 *
 * <p>A waiting statement holds back {@code xmin}, and the server may log a statement that waits
 * longer than {@code deadlock_timeout}. Each wait is short enough to avoid both. For one thread at
 * a time, except {@link #close}. Methods throw {@link DatabaseException}, after which the session
 * must be closed.
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

  /** The block catches the time-out, so it is not an error in the server's log. */
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
   * Waits for the end of a host's control session, for less than a second. The server may still
   * list the session for a moment.
   *
   * @return whether the session has ended or did not exist
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

  /** Returns the longest wait of this session's statements. */
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
