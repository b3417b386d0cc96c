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
 * The sessions on which an active host verifies its log: one for queries, and another while rows
 * are read. For one thread, except {@link #close}, which ends running work from any thread.
 */
public final class AuditSession implements AutoCloseable {
  /**
   * The longest wait of a query for a lock, since the results so far are worth more than the wait.
   */
  private static final Duration LOCK_WAIT = Duration.ofMinutes(1);

  /**
   * Waits this often for a lock, for a minute in all, without a log line. After that the session is
   * closed, and the error names the lock's holder.
   */
  private static final LockWaits SOME = (times, why) -> times < 30;

  private final Sessions sessions;
  private final RecorderName recorder;
  private final Term term;
  // Guarded by its own monitor.
  private final List<Connection> open = new ArrayList<>();

  @GuardedBy("open")
  private boolean closed;

  /** Creates sessions that are not open yet. */
  public AuditSession(Sessions sessions, RecorderName recorder, Term term) {
    this.sessions = sessions;
    this.recorder = recorder;
    this.term = term;
  }

  /** Opens the session for the database's records of the log, and for verdicts. */
  public AuditStores open() {
    Connection connection = keep(sessions.openForQueries(LOCK_WAIT));
    return new AuditStores(
        new JdbcLogRecords(connection, sessions.schemas(), recorder, term.lockId()),
        new JdbcVerdictStore(connection, sessions.schemas(), term));
  }

  /**
   * The ports on the session of {@link #open}.
   *
   * @param verdicts of the term
   */
  public record AuditStores(LogRecords records, VerdictStore verdicts) {}

  /**
   * Returns the rows, read in small ranges, since other work runs at the same time. Each scan opens
   * a session, which waits for a lock for at most a minute. The server ends the running statement
   * when the session ends.
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

  /** Ends the sessions; {@link #open} opens them again. */
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
