package dev.recorder.lock.postgres.tasks;

import dev.recorder.lock.Instruments;
import dev.recorder.lock.Loss;
import dev.recorder.lock.Loss.Cause;
import dev.recorder.lock.postgres.AcquiredRow;
import dev.recorder.lock.postgres.Command;
import dev.recorder.lock.postgres.RowSession;
import dev.recorder.postgres.Sessions;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The common part of {@link TaskQueue} and {@link TaskLocks}: a session, and the ownership of
 * tasks.
 */
final class Tasks implements AutoCloseable {
  final RowSession session;

  Tasks(Sessions sessions, Instruments instruments) {
    this.session = new RowSession(sessions, instruments);
  }

  /** Sets the status; returns null if the capture owned the task. */
  @Nullable Loss set(AcquiredRow ours, TaskStatus status) {
    return session.askTwice(ours.name().toString(), TaskStatements.set(ours, status)).rows() > 0
        ? null
        : lossOf(ours, status);
  }

  /**
   * Restarts the time-out; returns null if the capture owns the task. This is not repeated later,
   * since the extension of an ended lease would delay its successor.
   */
  @Nullable Loss extend(AcquiredRow ours, Duration timeout) {
    Command extend = TaskStatements.extend(ours, timeout);
    return session.askOnceMore(ours.name().toString(), extend).rows() > 0
        ? null
        : lossOf(ours, TaskStatus.IN_PROGRESS);
  }

  /** Returns why the status could not be set; null if the first of two attempts has set it. */
  private @Nullable Loss lossOf(AcquiredRow ours, TaskStatus wanted) {
    Optional<Loss> found =
        session.ask(
            ours.name().toString(),
            TaskStatements.look(ours.name()),
            statement -> {
              try (ResultSet row = statement.query()) {
                return Optional.ofNullable(row.next() ? loss(row, 1, ours, wanted) : GONE);
              }
            });
    return found.orElse(null);
  }

  static final Loss GONE = new Loss(Cause.REVOKED, "the task was deleted");

  /**
   * Returns how a capture lost its task, according to the row; null if the capture owns it with the
   * wanted status.
   */
  static @Nullable Loss loss(ResultSet row, int column, AcquiredRow ours, TaskStatus wanted)
      throws SQLException {
    String word = row.getString(column);
    if (word == null) {
      return GONE;
    }
    TaskStatus status = TaskStatus.of(word);
    boolean isOurs = row.getLong(column + 2) == ours.token();
    boolean isForced = !ours.owner().equals(row.getString(column + 1));
    if (!isOurs) {
      return new Loss(Cause.TAKEN_OVER, "another owner captured the task; it is " + word);
    } else if (isForced) {
      return new Loss(Cause.REVOKED, "an operator set the task to " + word + " by force");
    } else if (status == wanted) {
      return null;
    } else if (status == TaskStatus.TIMED_OUT) {
      return new Loss(Cause.LEASE_EXPIRED, "the task timed out");
    }
    return new Loss(Cause.REVOKED, "the task was set to " + word + " already");
  }

  @Override
  public void close() {
    session.close();
  }
}
