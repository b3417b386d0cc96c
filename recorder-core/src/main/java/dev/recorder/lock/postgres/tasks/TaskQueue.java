package dev.recorder.lock.postgres.tasks;

import dev.recorder.lock.Instruments;
import dev.recorder.lock.LeaseLostException;
import dev.recorder.lock.Loss;
import dev.recorder.lock.postgres.AcquiredRow;
import dev.recorder.lock.postgres.RowName;
import dev.recorder.lock.postgres.RowOptions;
import dev.recorder.lock.postgres.TimeoutLocks;
import dev.recorder.postgres.Sessions;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A queue of tasks, rows of {@code lock_task}. A task has one owner at a time: the capture that
 * took the task, until its status is set or its time is over.
 *
 * <ul>
 *   <li>Tasks that have waited longest are captured first: new ones since they were added, others
 *       since their status was set. So a task that fails repeatedly does not delay the rest.
 *   <li>The owner of a task has a time-out to set its status or to {@link #extend} it. When the
 *       time-out is over by the server's clock, a {@link TaskTimeouts} sets the task to {@code
 *       timed_out}; until then no other capture from the queue takes it.
 *   <li>Each capture counts {@code retries_left} down; at zero the task is not captured any more.
 *   <li>The tasks of a capture without an answer are given back before this queue's next operation,
 *       or at its close; else they time out.
 * </ul>
 *
 * <p>Thread-safe; one operation at a time, on one session. All methods throw {@link
 * dev.recorder.lock.LockException}.
 */
public final class TaskQueue implements AutoCloseable {
  /** The statuses that {@link #capture(int)} takes: new and failed. */
  public static final Set<TaskStatus> USUAL =
      Collections.unmodifiableSet(EnumSet.of(TaskStatus.NEW, TaskStatus.FAILED));

  /** The most tasks that one statement captures, adds or lists. */
  public static final int MOST = TaskStatements.MOST;

  private final String queue;
  private final Duration timeout;
  private final Tasks tasks;

  /**
   * Creates a queue of this name.
   *
   * @param timeout of tasks that are captured here; from a millisecond to ten years
   * @throws dev.recorder.lock.LockException if the queue's name is invalid
   */
  public TaskQueue(Sessions sessions, String queue, Duration timeout, Instruments instruments) {
    this.queue = new RowName(queue, "-").queue();
    this.timeout = TimeoutLocks.checked(timeout);
    this.tasks = new Tasks(sessions, instruments);
  }

  /**
   * Checks a task's name without a database.
   *
   * @throws dev.recorder.lock.LockException of kind UNUSABLE if the name is invalid
   */
  public static void checkName(String queue, String id) {
    RowName.check(queue, id);
  }

  /**
   * Adds tasks that can be captured any number of times; see {@link #add(Collection, OptionalInt)}.
   */
  public int add(Collection<String> ids) {
    return add(ids, OptionalInt.empty());
  }

  /**
   * Adds tasks in status {@code new}; existing tasks stay unchanged, whatever their status. So the
   * call can be repeated after a failure.
   *
   * @param retries how often each task can be captured
   * @return how many tasks were added
   */
  public int add(Collection<String> ids, OptionalInt retries) {
    ids.forEach(id -> RowName.check(queue, id));
    Integer times = new RowOptions(queue, retries).retriesOrNull();
    List<String> all = List.copyOf(ids);
    int added = 0;
    for (int from = 0; from < all.size(); from += MOST) {
      List<String> some = all.subList(from, Math.min(all.size(), from + MOST));
      added += tasks.session.update(queue, TaskStatements.add(queue, some, times));
    }
    return added;
  }

  /** Captures tasks in a status of {@link #USUAL}; see {@link #capture(int, Set)}. */
  public List<Task> capture(int limit) {
    return capture(limit, USUAL);
  }

  /**
   * Moves tasks to {@code in_progress}, in one statement that does not wait for locks.
   *
   * @param limit from 1 to {@link #MOST}
   * @param from the statuses to take; not {@code in_progress}
   * @return up to {@code limit} tasks, which only this caller owns, the longest waiting first
   */
  public List<Task> capture(int limit, Set<TaskStatus> from) {
    checkLimit(limit);
    if (from.isEmpty() || from.contains(TaskStatus.IN_PROGRESS)) {
      throw new IllegalArgumentException("cannot capture from " + from);
    }
    String owner = tasks.session.nextOwner();
    return tasks.session.ask(
        queue,
        TaskStatements.capture(queue, from, limit, owner, timeout),
        statement -> statement.all(row -> captured(row, owner)),
        TaskStatements.giveBack(queue, owner));
  }

  private Task captured(ResultSet row, String owner) throws SQLException {
    return new Task(
        queue,
        row.getString(1),
        owner,
        row.getLong(2),
        TaskStatus.of(row.getString(3)),
        row.getObject(4, Integer.class));
  }

  /**
   * Ends a task.
   *
   * @param status {@code done}, {@code failed}, or {@code new} to let another owner begin
   * @throws LeaseLostException if this capture lost the task: it timed out, another capture has it,
   *     or its status was set by force
   */
  public void setStatus(Task task, TaskStatus status) {
    if (status == TaskStatus.IN_PROGRESS || status == TaskStatus.TIMED_OUT) {
      throw new IllegalArgumentException("its owner does not set a task to " + status.word());
    }
    AcquiredRow ours = row(task);
    require(ours, tasks.set(ours, status));
  }

  /**
   * Restarts the time-out of a task.
   *
   * @throws LeaseLostException if this capture lost the task
   */
  public void extend(Task task) {
    AcquiredRow ours = row(task);
    require(ours, tasks.extend(ours, timeout));
  }

  private static AcquiredRow row(Task task) {
    return new AcquiredRow(
        new RowName(task.queue(), task.id()), task.owner(), task.token(), Duration.ZERO);
  }

  private static void require(AcquiredRow ours, @Nullable Loss loss) {
    if (loss != null) {
      throw new LeaseLostException(ours.name().toString(), loss.toString());
    }
  }

  /**
   * Sets the status of a task regardless of its owner: for an operator. The owner learns of this
   * when it sets the status itself.
   *
   * @param status not {@code in_progress}
   * @param retries how often the task can be captured from now on; empty keeps the number
   * @return whether the task exists
   */
  public boolean force(String id, TaskStatus status, OptionalInt retries) {
    if (status == TaskStatus.IN_PROGRESS) {
      throw new IllegalArgumentException("only a capture sets a task to in_progress");
    }
    RowName name = new RowName(queue, id);
    Integer times = new RowOptions(queue, retries).retriesOrNull();
    return tasks.session.update(name.toString(), TaskStatements.force(name, status, times)) > 0;
  }

  /**
   * Sets tasks of all queues whose time is over by the server's clock to {@code timed_out}, at most
   * {@link #MOST} of them.
   *
   * @return how many tasks were set
   */
  public int expire() {
    return tasks.session.update(queue, TaskStatements.expire());
  }

  /**
   * Deletes tasks that have had one of these statuses for longer than {@code age}, at most {@link
   * #MOST} of them.
   *
   * @return how many tasks were deleted
   */
  public int forget(Set<TaskStatus> settled, Duration age) {
    return tasks.session.update(queue, TaskStatements.forget(queue, settled, age));
  }

  /**
   * Returns tasks in the order of their ids.
   *
   * @param status null for all statuses
   * @param limit from 1 to {@link #MOST}
   */
  public List<TaskRow> list(@Nullable TaskStatus status, int limit) {
    checkLimit(limit);
    return tasks.session.ask(
        queue, TaskStatements.list(queue, status, limit), statement -> statement.all(TaskRow::of));
  }

  private static void checkLimit(int limit) {
    if (limit < 1 || limit > MOST) {
      throw new IllegalArgumentException("limit " + limit + " is not from 1 to " + MOST);
    }
  }

  /** Ends the session; captured tasks stay captured until they time out. */
  @Override
  public void close() {
    tasks.close();
  }
}
