package dev.recorder.lock.postgres.tasks;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.recorder.lock.Instruments;
import dev.recorder.lock.LeaseLife;
import dev.recorder.lock.LockException;
import dev.recorder.lock.Loss;
import dev.recorder.lock.TrackedLease;
import dev.recorder.lock.postgres.AcquiredRow;
import dev.recorder.lock.postgres.RowName;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.time.Timer;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Signals losses of tasks that are held as locks. One thread ends leases at their deadlines.
 * Another thread queries all open leases in the database every {@link #LOOK}, since it may have to
 * wait for the answer. Both threads run while leases are open, and {@link #LINGER} longer.
 */
final class TaskLeaseMonitor implements AutoCloseable {
  /** How often the database is queried whether leases are still held. */
  static final Duration LOOK = Duration.ofSeconds(1);

  private static final Duration LINGER = Duration.ofSeconds(5);

  private final Tasks tasks;
  private final Instruments instruments;
  private final Map<TrackedLease, OpenTaskLease> open = new ConcurrentHashMap<>();
  private final Timer deadlines = timer("task-deadlines");
  private final Timer looks = timer("task-look");
  private final AtomicBoolean looking = new AtomicBoolean();

  TaskLeaseMonitor(Tasks tasks, Instruments instruments) {
    this.tasks = tasks;
    this.instruments = instruments;
  }

  private Timer timer(String role) {
    Timer timer = new Timer(role, this::giveUp);
    timer.setKeepAliveTime(LINGER.toMillis(), TimeUnit.MILLISECONDS);
    timer.allowCoreThreadTimeOut(true);
    return timer;
  }

  /** Ends all open leases as lost, since later losses could not be reported. */
  private void giveUp(Throwable why) {
    List<TrackedLease> unwatched = List.copyOf(open.keySet());
    open.clear();
    Loss loss = new Loss(Loss.Cause.LEASE_EXPIRED, "its watch has failed: " + why);
    unwatched.forEach(lease -> lease.end(loss));
  }

  private static final class OpenTaskLease {
    final AcquiredRow row;

    @GuardedBy("this")
    private @Nullable Future<?> deadline;

    @GuardedBy("this")
    private boolean forgotten;

    OpenTaskLease(AcquiredRow row) {
      this.row = row;
    }

    synchronized void await(Future<?> next) {
      deadline = next;
      if (forgotten) {
        next.cancel(false);
      }
    }

    synchronized void forget() {
      forgotten = true;
      if (deadline != null) {
        deadline.cancel(false);
      }
    }
  }

  void add(TrackedLease lease, AcquiredRow row) {
    OpenTaskLease held = new OpenTaskLease(row);
    open.put(lease, held);
    try {
      awaitDeadline(lease, held);
      if (looking.compareAndSet(false, true)) {
        lookLater();
      }
    } catch (RejectedExecutionException closing) {
      // The session reports that the service is closed.
    }
  }

  /** Null if the lease is not open, or is lost. */
  @Nullable AcquiredRow rowOf(TrackedLease lease) {
    OpenTaskLease held = open.get(lease);
    return held == null ? null : held.row;
  }

  void remove(TrackedLease lease) {
    OpenTaskLease held = open.remove(lease);
    if (held != null) {
      held.forget();
    }
  }

  /** Waits for the end of a lease; a lease that was extended meanwhile is checked again. */
  private void awaitDeadline(TrackedLease lease, OpenTaskLease held) {
    LeaseLife life = lease.look();
    if (life.state().isFinal()) {
      remove(lease);
    } else {
      long left = life.remaining(instruments.nanos()).toNanos();
      held.await(deadlines.schedule(() -> awaitDeadline(lease, held), left, TimeUnit.NANOSECONDS));
    }
  }

  @SuppressWarnings("FutureReturnValueIgnored") // a look handles its exceptions
  private void lookLater() {
    looks.schedule(() -> look(), LOOK.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void look() {
    try {
      List<Map.Entry<TrackedLease, OpenTaskLease>> all = List.copyOf(open.entrySet());
      for (int from = 0; from < all.size(); from += TaskStatements.MOST) {
        look(all.subList(from, Math.min(all.size(), from + TaskStatements.MOST)));
      }
    } finally {
      looking.set(false);
      if (!open.isEmpty() && !looks.isShutdown() && looking.compareAndSet(false, true)) {
        lookLater();
      }
    }
  }

  private void look(List<Map.Entry<TrackedLease, OpenTaskLease>> some) {
    List<RowName> names = some.stream().map(each -> each.getValue().row.name()).toList();
    try {
      tasks.session.ask(
          some.get(0).getKey().name(),
          TaskStatements.lookAt(names),
          statement -> compare(statement, some));
    } catch (LockException e) {
      some.forEach(each -> each.getKey().doubt());
    }
  }

  /**
   * Compares leases with their rows. A look confirms nothing beyond the deadline, which only an
   * extension moves.
   */
  private int compare(SqlStatement statement, List<Map.Entry<TrackedLease, OpenTaskLease>> some)
      throws SQLException {
    long sentAt = instruments.nanos();
    int lost = 0;
    try (ResultSet row = statement.query()) {
      while (row.next()) {
        Map.Entry<TrackedLease, OpenTaskLease> each = some.get(row.getInt(1) - 1);
        TrackedLease lease = each.getKey();
        Loss loss = Tasks.loss(row, 2, each.getValue().row, TaskStatus.IN_PROGRESS);
        if (loss == null) {
          lease.confirm(sentAt, Duration.ZERO);
        } else {
          remove(lease);
          lease.end(loss);
          lost++;
        }
      }
    }
    return lost;
  }

  @Override
  public void close() {
    deadlines.shutdownNow();
    looks.shutdownNow();
    open.clear();
  }
}
