package dev.recorder.lock.postgres.tasks;

import static dev.recorder.lock.Leases.finish;
import static dev.recorder.lock.Leases.lossOf;
import static dev.recorder.lock.Leases.take;
import static dev.recorder.testing.Patience.A_MINUTE;
import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.lock.Instruments;
import dev.recorder.lock.JumpingTicker;
import dev.recorder.lock.Lease;
import dev.recorder.lock.LeaseLostException;
import dev.recorder.lock.LeaseState;
import dev.recorder.lock.LockListener;
import dev.recorder.lock.Loss.Cause;
import dev.recorder.lock.postgres.RowLocksContract;
import dev.recorder.postgres.Sessions;
import dev.recorder.testing.network.TcpProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Tasks that are held as locks, on a real server. */
class TaskLocksIT extends RowLocksContract {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  TaskLocksIT() {
    super("lock_task", "status");
  }

  @Override
  protected Locks open(Sessions sessions, Instruments instruments) {
    return site.opened(new TaskLocks(sessions, MINUTE, instruments))::lock;
  }

  @Override
  protected void free(String id) {
    operator().force(id, TaskStatus.DONE, OptionalInt.empty());
  }

  private static TaskLocks locks(String worker) {
    return locks(worker, MINUTE);
  }

  private static TaskLocks locks(String worker, Duration timeout) {
    return site.opened(new TaskLocks(site.sessions(worker), timeout, Instruments.PLAIN));
  }

  private static TaskQueue operator() {
    return site.opened(
        new TaskQueue(site.sessions("operator"), "default", MINUTE, Instruments.PLAIN));
  }

  @Test
  void aLeaseThatWasCompletedLeavesTheTaskDoneAndAnyOtherFailed() throws Exception {
    TaskLocks locks = locks("a");
    Lease lease = take(locks.lock("x"));
    assertThat(row("x", "status")).isEqualTo("in_progress");
    assertThat(locks("b").lock("x").tryAcquire()).isEmpty();
    assertThat(locks.lock("x").tryAcquire()).isEmpty();
    lease.close();
    assertThat(row("x", "status")).isEqualTo("failed");
    Lease next = take(locks("b").lock("x"));
    assertThat(next.token()).isGreaterThan(lease.token());
    finish(next);
    assertThat(row("x", "status")).isEqualTo("done");
    assertThat(take(locks.lock("x")).state()).isEqualTo(LeaseState.HELD);
  }

  @Test
  void aLeaseThatRunsOutSaysSoWithoutBeingAskedAndBeforeAnybodyElseCanHaveIt() throws Exception {
    // It ends half-way between two looks.
    Duration timeout = TaskLeaseMonitor.LOOK.multipliedBy(5).dividedBy(2);
    TaskLocks locks = locks("a", timeout);
    long start = System.nanoTime();
    Lease lease = take(locks.lock("short"));
    CompletableFuture<String> toldBy =
        lease.lost().thenApply(loss -> Thread.currentThread().getName()).toCompletableFuture();
    assertThat(lease.remaining()).isLessThanOrEqualTo(timeout);
    assertThat(lossOf(lease).cause()).isEqualTo(Cause.LEASE_EXPIRED);
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(timeout);
    assertThat(toldBy.join()).as("and not by a look at the database").startsWith("task-deadlines");
    Lease next = locks("b").lock("short").tryAcquire(A_MINUTE).orElseThrow();
    assertThat(next.token()).isGreaterThan(lease.token());
    lease.complete();
    assertThatThrownBy(lease::close).isInstanceOf(LeaseLostException.class);
    assertThat(row("short", "status")).isEqualTo("in_progress");
  }

  @Test
  void aLeaseThatIsExtendedGoesOn() throws Exception {
    JumpingTicker clock = new JumpingTicker();
    Instruments instruments = new Instruments(clock, LockListener.NONE);
    TaskLocks locks = site.opened(new TaskLocks(site.sessions("a"), MINUTE, instruments));
    Lease lease = take(locks.lock("extended"));
    String later =
        "UPDATE recorder.lock_task SET deadline = deadline - interval '40 s' WHERE id = 'extended'";
    for (int i = 0; i < 3; i++) {
      clock.jump(Duration.ofSeconds(40));
      site.execute(later);
      locks.extend(lease);
      lease.ensure(Duration.ofSeconds(30));
    }
    assertThat(row("extended", "deadline > clock_timestamp() + interval '30 s'")).isEqualTo("t");
    assertThat(locks("b").lock("extended").tryAcquire()).isEmpty();
    finish(lease);
    assertThat(row("extended", "status")).isEqualTo("done");
    assertThatThrownBy(() -> locks.extend(lease)).isInstanceOf(LeaseLostException.class);
    assertThatThrownBy(() -> locks("c").extend(lease)).isInstanceOf(LeaseLostException.class);
  }

  @Test
  void aLookAtManyEndsThoseThatWereTakenAwayAndNoOther() throws Exception {
    List<Lease> leases = new ArrayList<>();
    TaskLocks locks = locks("a");
    for (String id : List.of("r1", "r2", "r3", "kept")) {
      leases.add(take(locks.lock(id)));
    }
    TaskQueue operator = operator();
    operator.force("r1", TaskStatus.FAILED, OptionalInt.empty());
    operator.force("r2", TaskStatus.NEW, OptionalInt.empty());
    Lease thief = take(locks("b").lock("r2"));
    site.execute("DELETE FROM recorder.lock_task WHERE id = 'r3'");
    assertThat(lossOf(leases.get(0)).cause()).isEqualTo(Cause.REVOKED);
    assertThat(lossOf(leases.get(1)).cause()).isEqualTo(Cause.TAKEN_OVER);
    assertThat(lossOf(leases.get(2)).cause()).isEqualTo(Cause.REVOKED);
    assertThat(leases.get(3).state()).isEqualTo(LeaseState.HELD);
    assertThat(thief.state()).isEqualTo(LeaseState.HELD);
    leases.get(3).close();
  }

  @Test
  void whatWasLostIsFoundAtCloseAtTheLatest() throws Exception {
    TaskLocks locks = locks("a");
    TaskQueue operator = operator();
    Lease revoked = take(locks.lock("c1"));
    operator.force("c1", TaskStatus.DONE, OptionalInt.empty());
    assertThatThrownBy(revoked::close).hasMessageContaining("revoked");
    Lease takenOver = take(locks.lock("c2"));
    operator.force("c2", TaskStatus.NEW, OptionalInt.empty());
    take(locks("b").lock("c2"));
    assertThatThrownBy(takenOver::close).hasMessageContaining("taken over");
    Lease late = take(locks.lock("c3"));
    site.execute(
        "UPDATE recorder.lock_task SET deadline = clock_timestamp() - interval '1 s'"
            + " WHERE id = 'c3'");
    operator.expire();
    assertThatThrownBy(late::close).hasMessageContaining("lease expired");
    assertThat(row("c2", "status")).isEqualTo("in_progress");
    assertThat(row("c3", "status")).isEqualTo("timed_out");
  }

  @Test
  void aLeaseIsInDoubtWhileNobodyAnswers() throws Exception {
    try (TcpProxy proxy = site.proxy()) {
      TaskLocks locks = site.opened(new TaskLocks(site.cut(proxy), MINUTE, Instruments.PLAIN));
      Lease healed = take(locks.lock("doubted"));
      proxy.cut();
      await().until(() -> healed.state() == LeaseState.IN_DOUBT);
      proxy.heal();
      await().until(() -> healed.state() == LeaseState.HELD);
      healed.close();
    }
  }
}
