package dev.recorder.audit.postgres;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.recorder.audit.HandoffRows;
import dev.recorder.audit.LogRecords;
import dev.recorder.audit.schedule.VerdictStore;
import dev.recorder.handoff.RecorderName;
import dev.recorder.handoff.Term;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
import dev.recorder.postgres.Sessions;
import dev.recorder.postgres.SqlConnections;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What an active machine verifies its log on: a session for what is asked, and another while rows
 * are read. For one thread; to be closed from any, which ends what is under way.
 */
public final class AuditSession implements AutoCloseable {
  /** At once: what is known so far is worth more than the wait. */
  private static final Duration LOCK_WAIT = Duration.ofMinutes(1);

  /**
   * It waits for locks so often, for a minute in all, and says nothing of it. Then the session is
   * given back, and the lock's holder is named.
   */
  private static final LockWaits SOME = (times, why) -> times < 30;

  private final Sessions sessions;
  private final RecorderName recorder;
  private final Term term;
  // Guarded by itself.
  private final List<Connection> open = new ArrayList<>();

  @GuardedBy("open")
  private boolean closed;

  /** Opens nothing yet. */
  public AuditSession(Sessions sessions, RecorderName recorder, Term term) {
    this.sessions = sessions;
    this.recorder = recorder;
    this.term = term;
  }

  /** What the database says of the log, and where verdicts stand; both on one session. */
  public AuditStores open() {
    Connection connection = keep(sessions.openForQueries(LOCK_WAIT));
    return new AuditStores(
        new JdbcLogRecords(connection, sessions.schemas(), recorder, term.lockId()),
        new JdbcVerdictStore(connection, sessions.schemas(), term));
  }

  /**
   * See {@link #open}.
   *
   * @param verdicts of the term
   */
  public record AuditStores(LogRecords records, VerdictStore verdicts) {}

  /**
   * The rows, in small ranges, since others work beside. The session lasts for a scan, waits for
   * somebody's lock for a minute at most, and the server ends what it does for it when it has
   * ended.
   */
  public HandoffRows rows() {
    return sink -> {
      Connection connection = keep(sessions.openData());
      try {
        StoredRows.of(
                connection,
                sessions.schemas(),
                term.lockId(),
                sessions.schemas().handoffTable(recorder))
            .waiting(SOME)
            .scan(sink);
      } catch (SQLException e) {
        throw DatabaseException.of(e);
      } finally {
        end(connection);
      }
    };
  }

  private Connection keep(Connection connection) {
    synchronized (open) {
      open.add(connection);
      if (!closed) {
        return connection;
      }
    }
    end(connection);
    throw new DatabaseException(DatabaseErrorKind.UNREACHABLE, "the verification has been ended");
  }

  private void end(Connection connection) {
    SqlConnections.abort(connection);
    synchronized (open) {
      open.remove(connection);
    }
  }

  /** Ends the sessions until it is opened again. */
  public void rest() {
    List<Connection> left;
    synchronized (open) {
      left = List.copyOf(open);
    }
    left.forEach(this::end);
  }

  @Override
  public void close() {
    synchronized (open) {
      closed = true;
    }
    rest();
  }
}
