package dev.recorder.capture.postgres.snapshot;

import dev.recorder.capture.CaptureNames;
import dev.recorder.capture.CaptureRule;
import dev.recorder.capture.postgres.catalog.RefusedCaptureException;
import dev.recorder.capture.postgres.snapshot.SnapshotBook.SnapshotPart;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
import dev.recorder.postgres.Sessions;
import dev.recorder.postgres.SqlConnections;
import dev.recorder.postgres.SqlStates;
import dev.recorder.time.NamedThreadFactory;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot's second session, which hands chunks over in parallel with the first, on a thread of
 * its own. A chunk costs processor time of the server, and a session uses one processor. The
 * session is opened when there is enough to do. If the server refuses it, the first session
 * continues alone.
 */
public final class SecondSession implements AutoCloseable {
  private final CaptureNames names;
  private final CaptureRule rule;
  private final Supplier<Optional<Connection>> another;
  private final NamedThreadFactory threads = new NamedThreadFactory("snapshot");
  private final AtomicInteger changes;
  private boolean wasAsked;
  private @Nullable Connection connection;
  private @Nullable SnapshotSession session;

  /**
   * Creates the second session without opening it.
   *
   * @param changes shared with the first session: counts how often the table or capture had changed
   */
  SecondSession(
      CaptureNames names,
      CaptureRule rule,
      Supplier<Optional<Connection>> another,
      AtomicInteger changes) {
    this.names = names;
    this.rule = rule;
    this.another = another;
    this.changes = changes;
  }

  /**
   * Returns a supplier that opens a session; empty if the server refuses it, for example by a
   * limit.
   */
  public static Supplier<Optional<Connection>> of(Sessions sessions) {
    return () -> {
      try {
        return Optional.of(sessions.openForQueries());
      } catch (DatabaseException refused) {
        return Optional.empty();
      }
    };
  }

  /** Returns a lane on this session for the present source; empty if the session is unavailable. */
  Optional<SnapshotLane> lane(SnapshotSource source, long begun)
      throws SQLException, RefusedCaptureException, InterruptedException {
    if (!wasAsked) {
      wasAsked = true;
      connection = another.get().orElse(null);
      session = connection == null ? null : new SnapshotSession(connection, rule, changes);
    }
    if (connection == null || session == null) {
      return Optional.empty();
    }
    try {
      if (!source.prepare(session)) {
        return Optional.empty();
      }
    } catch (SQLException failed) {
      unlessLost(failed);
      return Optional.empty();
    }
    SnapshotBook book = new SnapshotBook(connection, names, rule, source.oid());
    return Optional.of(new SnapshotLane(session, source, book, begun));
  }

  /**
   * Hands chunks over on the lane {@code own}, and in parallel on {@code other}, which belongs to
   * this session and runs on its thread. If this session is lost, only its open transaction is
   * lost, and the session is not used again.
   */
  void beside(
      SnapshotLane own,
      SnapshotLane other,
      SnapshotPart part,
      ChunkOrder order,
      SnapshotState.SnapshotProgress progress)
      throws SQLException, RefusedCaptureException, InterruptedException {
    FutureTask<Void> task =
        new FutureTask<>(
            () -> {
              other.handOver(part, order, progress);
              return null;
            });
    threads.newThread(task).start();
    boolean isWell = false;
    try {
      own.handOver(part, order, progress);
      isWell = true;
    } finally {
      if (!isWell) {
        abort();
        task.cancel(true);
      }
    }
    await(task);
  }

  private void await(FutureTask<Void> task)
      throws SQLException, RefusedCaptureException, InterruptedException {
    try {
      task.get();
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      if (cause instanceof SQLException failure) {
        unlessLost(failure);
      } else if (cause instanceof RefusedCaptureException refusal) {
        throw refusal;
      } else if (cause instanceof RuntimeException failure) {
        throw failure;
      } else if (cause instanceof Error error) {
        throw error;
      } else {
        throw new IllegalStateException(cause);
      }
    }
  }

  /** Drops the temporary table of this session, which depends on the capture. */
  void end(SnapshotSource source) throws SQLException {
    if (session != null) {
      try {
        session.run(source.statements().drop());
      } catch (SQLException failed) {
        unlessLost(failed);
      }
    }
  }

  /**
   * Gives the session up if it is lost, so that the first session continues alone. Throws any other
   * failure.
   */
  private void unlessLost(SQLException failure) throws SQLException {
    if (SqlStates.kindOf(failure) != DatabaseErrorKind.UNREACHABLE) {
      throw failure;
    }
    abort();
  }

  private void abort() {
    if (connection != null) {
      SqlConnections.abort(connection);
    }
    connection = null;
    session = null;
  }

  @Override
  public void close() {
    abort();
  }
}
