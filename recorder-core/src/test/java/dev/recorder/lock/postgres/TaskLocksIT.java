package dev.recorder.lock.postgres;

import static dev.recorder.testing.Patience.A_MINUTE;
import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.lock.DistributedLock;
import dev.recorder.lock.Instruments;
import dev.recorder.lock.Lease;
import dev.recorder.lock.LeaseLostException;
import dev.recorder.lock.LeaseState;
import dev.recorder.lock.LockException;
import dev.recorder.lock.Loss;
import dev.recorder.lock.Loss.Cause;
import dev.recorder.testing.TcpProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tasks that are held as locks, on a real server. */
class TaskLocksIT {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static RowSite site;

  @BeforeAll
  static void create() throws Exception {
    site = RowSite.create();
  }

  @AfterAll
  static void drop() throws Exception {
    site.close();
  }

  @AfterEach
  void closeServices() throws Exception {
    site.closeServices();
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

  private static Lease take(DistributedLock lock) {
    return lock.tryAcquire().orElseThrow();
  }

  private static Loss loss(Lease lease) throws Exception {
    return lease.lost().toCompletableFuture().get(1, TimeUnit.MINUTES);
  }

  private static String status(String id) throws Exception {
    return String.valueOf(
        site.text("SELECT status FROM recorder.lock_task WHERE id = '" + id + "'"));
  }

  @Test
  void aLeaseThatWasCompletedLeavesTheTaskDoneAndAnyOtherFailed() throws Exception {
    TaskLocks locks = locks("a");
    Lease lease = take(locks.lock("x"));
    assertThat(status("x")).isEqualTo("in_progress");
    assertThat(locks("b").lock("x").tryAcquire()).isEmpty();
    assertThat(locks.lock("x").tryAcquire()).isEmpty();
    lease.close();
    assertThat(status("x")).isEqualTo("failed");
    Lease next = take(locks("b").lock("x"));
    assertThat(next.token()).isGreaterThan(lease.token());
    next.complete();
    next.close();
    assertThat(status("x")).isEqualTo("done");
    assertThat(take(locks.lock("x")).state()).isEqualTo(LeaseState.HELD);
  }

  @Test
  @Tag("smoke")
  void ofManyAtOnceExactlyOneGetsTheTask() throws Exception {
    for (int round = 0; round < 10; round++) {
      String id = "raced" + round / 2; // once to be made, once to be captured
      List<Callable<Optional<Lease>>> all = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        TaskLocks locks = locks("racer" + i);
        locks.lock("warm" + i).tryAcquire();
        all.add(() -> locks.lock(id).tryAcquire());
      }
      List<Optional<Lease>> leases = RowSite.atOnce(all);
      assertThat(leases).filteredOn(Optional::isPresent).hasSize(1);
      leases.forEach(lease -> lease.ifPresent(Lease::close));
      site.execute("DELETE FROM recorder.lock_task WHERE id LIKE 'warm%'");
      site.closeServices();
    }
  }

  @Test
  void aLeaseThatRunsOutSaysSoWithoutBeingAskedAndBeforeAnybodyElseCanHaveIt() throws Exception {
    Duration timeout = LeaseWatch.LOOK.multipliedBy(3);
    TaskLocks locks = locks("a", timeout);
    long start = System.nanoTime();
    Lease lease = take(locks.lock("short"));
    CompletableFuture<String> toldBy =
        lease.lost().thenApply(loss -> Thread.currentThread().getName()).toCompletableFuture();
    assertThat(lease.remaining()).isLessThanOrEqualTo(timeout);
    assertThat(loss(lease).cause()).isEqualTo(Cause.LEASE_EXPIRED);
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(timeout);
    assertThat(toldBy.join()).as("and not by a look at the database").startsWith("task-deadlines");
    Lease next = locks("b").lock("short").tryAcquire(A_MINUTE).orElseThrow();
    assertThat(next.token()).isGreaterThan(lease.token());
    lease.complete();
    assertThatThrownBy(lease::close).isInstanceOf(LeaseLostException.class);
    assertThat(status("short")).isEqualTo("in_progress");
  }

  @Test
  void aLeaseThatIsExtendedGoesOn() throws Exception {
    TaskLocks locks = locks("a", Duration.ofSeconds(5));
    Lease lease = take(locks.lock("extended"));
    for (int i = 0; i < 6; i++) {
      Thread.sleep(1_000);
      locks.extend(lease);
      lease.ensure(Duration.ofMillis(100));
    }
    assertThat(locks("b").lock("extended").tryAcquire()).isEmpty();
    lease.complete();
    lease.close();
    assertThat(status("extended")).isEqualTo("done");
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
    assertThat(loss(leases.get(0)).cause()).isEqualTo(Cause.REVOKED);
    assertThat(loss(leases.get(1)).cause()).isEqualTo(Cause.TAKEN_OVER);
    assertThat(loss(leases.get(2)).cause()).isEqualTo(Cause.REVOKED);
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
    assertThat(status("c2")).isEqualTo("in_progress");
    assertThat(status("c3")).isEqualTo("timed_out");
  }

  @Test
  void aLeaseIsInDoubtWhileNobodyAnswers() throws Exception {
    try (TcpProxy proxy = TcpProxy.to(site.database.server().port())) {
      TaskLocks locks =
          site.opened(new TaskLocks(site.sessions("cut", proxy.port()), MINUTE, Instruments.PLAIN));
      Lease healed = take(locks.lock("doubted"));
      proxy.cut();
      await().until(() -> healed.state() == LeaseState.IN_DOUBT);
      proxy.heal();
      await().until(() -> healed.state() == LeaseState.HELD);
      healed.close();
    }
  }

  @Test
  void retriesAndQueuesAreThoseOfTheOtherKinds() throws Exception {
    TaskLocks locks = locks("a");
    RowOptions twice = RowOptions.DEFAULT.inQueue("q").withRetries(2);
    take(locks.lock("n", twice)).close();
    take(locks.lock("n", twice)).close();
    assertThat(locks.lock("n", twice).tryAcquire()).isEmpty();
    assertThat(locks.lock("n").tryAcquire()).isPresent();
    assertThat(locks.lock("none", RowOptions.DEFAULT.withRetries(0)).tryAcquire()).isEmpty();
  }

  @Test
  void aTaskWhoseGrantWasLostOnItsWayIsGivenBack() throws Exception {
    TaskLocks before = locks("before");
    Lease first = take(before.lock("unheard"));
    first.complete();
    first.close();
    try (TcpProxy proxy = TcpProxy.to(site.database.server().port())) {
      TaskLocks cut =
          site.opened(new TaskLocks(site.sessions("cut", proxy.port()), MINUTE, Instruments.PLAIN));
      take(cut.lock("another"));
      proxy.pauseToClient();
      assertThatThrownBy(() -> cut.lock("unheard").tryAcquire()).isInstanceOf(LockException.class);
      assertThat(status("unheard")).isEqualTo("in_progress");
      proxy.resume();
      cut.lock("whatever").tryAcquire();
      assertThat(status("unheard")).isEqualTo("done");
    }
  }

  @Test
  void threadsLiveWhileLeasesAreOpenAndALittleLonger() throws Exception {
    TaskLocks locks = locks("a");
    Lease lease = take(locks.lock("threads"));
    await().until(() -> threads() > 0);
    lease.close();
    await().until(() -> threads() == 0);
  }

  private static long threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(
            thread ->
                thread.getName().startsWith("task-look")
                    || thread.getName().startsWith("task-deadlines"))
        .count();
  }
}
