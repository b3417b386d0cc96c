package dev.recorder.lock.postgres.tasks;

import dev.recorder.lock.DistributedLock;
import dev.recorder.lock.Instruments;
import dev.recorder.lock.Lease;
import dev.recorder.lock.LeaseLife;
import dev.recorder.lock.LeaseLostException;
import dev.recorder.lock.Loss;
import dev.recorder.lock.Loss.Cause;
import dev.recorder.lock.TrackedLease;
import dev.recorder.lock.postgres.AcquiredRow;
import dev.recorder.lock.postgres.RowKind;
import dev.recorder.lock.postgres.RowLocks;
import dev.recorder.lock.postgres.RowOptions;
import dev.recorder.lock.postgres.TimeoutLocks;
import dev.recorder.postgres.Sessions;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Tasks as locks: a row of {@code lock_task} that is captured by its id in any status but {@code
 * in_progress}, and created if missing. The task becomes {@code done} if the lease was completed
 * before it was closed, else {@code failed}. In both cases it can be taken again while {@code
 * retries_left} lasts.
 *
 * <ul>
 *   <li>A lease lasts for the time-out, counted from before its request, unless it is {@link
 *       #extend}ed. A task whose time is over can be taken, even if no {@link TaskTimeouts} has
 *       marked it.
 *   <li>The end of a lease's time is signalled. If a task was set by force or deleted, the next
 *       check of the database signals the loss. Checks run every {@link TaskLeaseMonitor#LOOK}, as
 *       one statement for all leases, which may take its time-out.
 *   <li>Waiters repeat the request after half of {@link RowLocks#POLL} to all of it.
 *   <li>An acquire without an answer is undone before this service's next operation, or at its
 *       close; else the task times out.
 * </ul>
 *
 * <p>Thread-safe; one operation at a time, on one session, and two threads while leases are open.
 */
public final class TaskLocks implements AutoCloseable {
  private final Duration timeout;
  private final Instruments instruments;
  private final Tasks tasks;
  private final RowLocks rows;
  private final TaskLeaseMonitor watch;
  private final RowKind kind;

  /**
   * Creates locks without a session, which is opened on first use.
   *
   * @param timeout of each lease; from a millisecond to ten years
   */
  public TaskLocks(Sessions sessions, Duration timeout, Instruments instruments) {
    this.timeout = TimeoutLocks.checked(timeout);
    this.instruments = instruments;
    this.tasks = new Tasks(sessions, instruments);
    this.rows = new RowLocks(tasks.session, instruments);
    this.watch = new TaskLeaseMonitor(tasks, instruments);
    this.kind =
        new RowKind(
            claim -> TaskStatements.take(claim, this.timeout),
            claim -> TaskStatements.create(claim, this.timeout),
            claim -> TaskStatements.giveBack(claim.name().queue(), claim.owner()),
            this::lease);
  }

  /** Returns the lock on the task of this id in the default queue. */
  public DistributedLock lock(String id) {
    return lock(id, RowOptions.DEFAULT);
  }

  /**
   * Returns the lock on the task of this id.
   *
   * @throws dev.recorder.lock.LockException if the id or queue is invalid
   */
  public DistributedLock lock(String id, RowOptions options) {
    return rows.lock(id, options, kind);
  }

  /**
   * Restarts the time-out of a lease.
   *
   * @param lease of a lock of this service
   * @throws LeaseLostException if the lease is lost or closed
   */
  public void extend(Lease lease) {
    lease.ensure(Duration.ZERO);
    AcquiredRow ours = lease instanceof TrackedLease tracked ? watch.rowOf(tracked) : null;
    if (ours == null) {
      throw new LeaseLostException(lease.name(), "it is not open here");
    }
    TrackedLease tracked = (TrackedLease) lease;
    long sentAt = instruments.nanos();
    Loss loss = tasks.extend(ours, timeout);
    if (loss == null) {
      tracked.confirm(sentAt, timeout);
    } else {
      watch.remove(tracked);
      tracked.end(loss);
    }
    lease.ensure(Duration.ZERO);
  }

  private TrackedLease lease(AcquiredRow ours, long sentAt) {
    TrackedLease lease =
        rows.lease(
            ours,
            LeaseLife.granted(sentAt, timeout, Cause.LEASE_EXPIRED),
            (which, completed) -> release(which, ours, completed));
    watch.add(lease, ours);
    return lease;
  }

  private @Nullable Loss release(TrackedLease lease, AcquiredRow ours, boolean completed) {
    watch.remove(lease);
    return tasks.set(ours, completed ? TaskStatus.DONE : TaskStatus.FAILED);
  }

  /** Ends session and threads; tasks still held time out. */
  @Override
  public void close() {
    watch.close();
    tasks.close();
  }
}
