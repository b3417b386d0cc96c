package dev.recorder.requests.postgres;

import dev.recorder.handoff.DatabaseIdentity;
import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
import dev.recorder.postgres.Sessions;
import dev.recorder.postgres.SqlConnections;
import dev.recorder.postgres.pin.DatabasePin;
import dev.recorder.postgres.pin.PinnedDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * A worker's connection to the database that its recorder belongs to. The database behind the name
 * may have changed since the host started.
 *
 * @param databases the connected database, then earlier databases of the recorder
 */
record PinnedSession(Connection connection, List<DatabaseIdentity> databases) {
  static PinnedSession open(
      Sessions sessions, RecorderName recorder, int lockId, Duration unitLimit) {
    Connection connection = sessions.openWorker(unitLimit);
    DatabasePin pin = new DatabasePin(sessions.schemas());
    try {
      PinnedDatabase found = pin.look(connection, lockId);
      String another = found.refusal(recorder);
      if (!another.isEmpty()) {
        throw new DatabaseException(DatabaseErrorKind.UNUSABLE, another);
      }
      pin.move(connection, lockId, found);
      return new PinnedSession(connection, found.all());
    } catch (SQLException e) {
      SqlConnections.abort(connection);
      throw DatabaseException.of(e);
    } catch (DatabaseException e) {
      SqlConnections.abort(connection);
      throw e;
    }
  }
}
