package dev.recorder.capture.postgres;

import dev.recorder.capture.CaptureNames;
import dev.recorder.capture.CaptureRule;
import dev.recorder.postgres.SqlConnections;
import dev.recorder.time.NamedThreads;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot's other session, which hands chunks over beside the first, on a thread of its own:
 * what a chunk costs is the server's processor time, and one session has one processor. It is
 * opened when there is enough to do; where there may be none, the first goes on alone.
 */
final class SecondSession implements AutoCloseable {
  private final CaptureNames names;
  private final CaptureRule rule;
  private final Supplier<Optional<Connection>> another;
  private final NamedThreads threads = new NamedThreads("snapshot");
  private boolean wasAsked;
  private @Nullable Connection connection;
  private @Nullable SnapshotSession session;

  SecondSession(CaptureNames names, CaptureRule rule, Supplier<Optional<Connection>> another) {
    this.names = names;
    this.rule = rule;
    this.another = another;
  }

  /** A lane on it, for what a source has now; empty if there is no such session. */
  Optional<SnapshotLane> lane(SnapshotSource source, long begun) throws SQLException {
    if (!wasAsked) {
      wasAsked = true;
      connection = another.get().orElse(null);
      session = connection == null ? null : new SnapshotSession(connection, rule);
    }
    if (connection == null || session == null) {
      return Optional.empty();
    }
    source.prepare(session);
    SnapshotBook book = new SnapshotBook(connection, names, rule, source.oid());
    return Optional.of(new SnapshotLane(session, source, book, begun));
  }

  /** Hands over, or fails. */
  @FunctionalInterface
  interface Work {
    void run() throws SQLException, RefusedCaptureException, InterruptedException;
  }

  /** Does {@code other} on this session's thread while the caller does {@code own}. */
  void beside(Work own, Work other)
      throws SQLException, RefusedCaptureException, InterruptedException {
    FutureTask<Void> task =
        new FutureTask<>(
            () -> {
              other.run();
              return null;
            });
    threads.newThread(task).start();
    boolean isWell = false;
    try {
      own.run();
      isWell = true;
    } finally {
      if (!isWell) {
        close(); // What it does is to end, too, and of no more use.
      }
    }
    await(task);
  }

  private static void await(FutureTask<Void> task)
      throws SQLException, RefusedCaptureException, InterruptedException {
    try {
      task.get();
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      if (cause instanceof SQLException failure) {
        throw failure;
      } else if (cause instanceof RefusedCaptureException refusal) {
        throw refusal;
      } else if (cause instanceof RuntimeException failure) {
        throw failure;
      } else if (cause instanceof Error error) {
        throw error;
      }
      throw new IllegalStateException(cause);
    }
  }

  @Override
  public void close() {
    if (connection != null) {
      SqlConnections.abort(connection);
    }
  }
}
