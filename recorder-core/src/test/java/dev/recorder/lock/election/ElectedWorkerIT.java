package dev.recorder.lock.election;

import static dev.recorder.lock.Leases.free;
import static dev.recorder.lock.Leases.granted;
import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.recorder.lock.DistributedLock;
import dev.recorder.lock.Instruments;
import dev.recorder.lock.Lease;
import dev.recorder.lock.LockException;
import dev.recorder.lock.Loss;
import dev.recorder.lock.TrackedLease;
import dev.recorder.lock.postgres.AdvisoryLocks;
import dev.recorder.postgres.LockSites;
import dev.recorder.testing.network.TcpProxy;
import dev.recorder.testing.servers.TestDatabase;
import dev.recorder.time.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/** A fleet of workers on a real lock, of which one works at a time. */
@Timeout(300)
class ElectedWorkerIT {
  private static final Duration RETRY = Duration.ofMillis(100);
  private static TestDatabase database;

  private final AtomicInteger working = new AtomicInteger();
  private final AtomicInteger most = new AtomicInteger();
  private final List<Worker> fleet = new ArrayList<>();

  @BeforeAll
  static void create() throws Exception {
    database = TestDatabase.createOwned();
    LockSites.create(database);
  }

  @AfterAll
  static void drop() throws Exception {
    database.close();
  }

  @AfterEach
  void close() {
    fleet.forEach(Worker::close);
    assertThat(most.get()).as("workers at a time").isLessThanOrEqualTo(1);
  }

  /** Works until it is told not to. */
  private final class Worker extends ToldWork implements AutoCloseable {
    private final AdvisoryLocks locks;
    private final ElectedWorker worker;

    Worker(String name, String lock, int port) {
      locks = new AdvisoryLocks(LockSites.sessions(database, name, port), Instruments.PLAIN);
      worker = new ElectedWorker(name, locks.lock(lock), RETRY, this, Ticker.system());
      fleet.add(this);
    }

    @Override
    public CompletionStage<?> start(Lease lease) {
      most.accumulateAndGet(working.incrementAndGet(), Math::max);
      return super.start(lease);
    }

    @Override
    void end() {
      if (!hasEnded()) {
        working.decrementAndGet();
      }
      super.end();
    }

    boolean isWorking() {
      return worker.state() instanceof WorkerState.Working;
    }

    @Override
    public void close() {
      worker.close();
      locks.close();
    }
  }

  private Worker worker(String name, String lock) {
    return new Worker(name, lock, database.server().port());
  }

  private static void awaitWork(Worker worker) {
    await().until(worker::isWorking);
  }

  @Test
  void anotherWorksWhenTheOneIsStopped() {
    Worker a = worker("a", "stopped");
    Worker b = worker("b", "stopped");
    a.worker.start();
    awaitWork(a);
    b.worker.start();
    await().until(() -> b.worker.state() instanceof WorkerState.WaitingToAcquireLock);
    a.worker.stop();
    awaitWork(b);
    await().until(() -> a.worker.state() instanceof WorkerState.Idle);
    assertThat(a.calls).containsExactly("start", "stop");
  }

  @Test
  void workPausesWhenTheLockIsLostAndResumesAsANewTerm() throws Exception {
    Worker a = worker("lost", "lost");
    a.worker.start();
    awaitWork(a);
    LockSites.terminate(database, "lost");
    await().until(() -> a.calls.size() == 3);
    assertThat(a.calls).containsExactly("start", "halt", "start");
  }

  @Test
  void aWorkerThatIsCutOffIsReplaced() throws Exception {
    try (TcpProxy proxy = TcpProxy.to(database.server().port())) {
      Worker a = new Worker("cut", "cut", proxy.port());
      Worker b = worker("whole", "cut");
      a.worker.start();
      awaitWork(a);
      b.worker.start();
      proxy.cut();
      awaitWork(b);
      assertThat(a.calls).containsExactly("start", "halt");
      proxy.heal();
    }
  }

  @Test
  void workThatEndsByItselfLetsOthersHaveATurn() {
    Worker a = worker("a", "turns");
    a.worker.start();
    awaitWork(a);
    a.end();
    await().until(() -> a.calls.size() == 2);
    assertThat(a.calls).containsExactly("start", "start");
    a.worker.yieldTurn();
    await().until(() -> a.calls.size() == 4);
    assertThat(a.calls).containsExactly("start", "start", "stop", "start");
  }

  @Test
  void aLockServiceThatIsAwayIsAskedUntilItIsBack() throws Exception {
    try (TcpProxy proxy = TcpProxy.to(database.server().port())) {
      proxy.refuseNew();
      Worker a = new Worker("away", "away", proxy.port());
      a.worker.start();
      await().until(() -> a.worker.state() instanceof WorkerState.WaitingToAcquireLock);
      proxy.acceptNew();
      awaitWork(a);
    }
  }

  @Test
  void aLeaseThatIsLostBeforeTheWorkBeginsIsGivenUp() {
    AtomicInteger grants = new AtomicInteger();
    DistributedLock lock =
        free(
            () -> {
              TrackedLease lease = granted(completed -> {});
              if (grants.incrementAndGet() == 1) {
                lease.end(new Loss(Loss.Cause.REVOKED, "before anybody looked"));
              }
              return lease;
            });
    ToldWork work = new ToldWork();
    ElectedWorker worker = new ElectedWorker("w", lock, RETRY, work, Ticker.system());
    worker.start();
    await().until(() -> work.calls.size() == 3);
    assertThat(work.calls).containsExactly("start", "halt", "start");
    worker.retire();
  }

  @Test
  void workThatGetsNoTokenIsTriedAgainAndIsNoBug() {
    Logger logger = (Logger) LoggerFactory.getLogger(ElectedWorker.class);
    ListAppender<ILoggingEvent> logged = new ListAppender<>();
    logged.start();
    logger.addAppender(logged);
    try {
      ToldWork work =
          ToldWork.starting(
              time -> {
                if (time == 1) {
                  throw new LockException("tokenless", LockException.Kind.UNUSABLE, "no tables");
                }
                return new CompletableFuture<Void>();
              });
      ElectedWorker worker =
          new ElectedWorker(
              "tokenless", free(() -> granted(completed -> {})), RETRY, work, Ticker.system());
      worker.start();
      await().until(() -> work.calls.size() == 2);
      worker.retire();
      assertThat(List.copyOf(logged.list))
          .filteredOn(event -> event.getLevel().isGreaterOrEqual(Level.WARN))
          .filteredOn(event -> event.getFormattedMessage().contains("worker tokenless"))
          .extracting(ILoggingEvent::getFormattedMessage)
          .containsExactly("worker tokenless: lock tokenless: no tables");
    } finally {
      logger.detachAppender(logged);
    }
  }

  @Test
  void workThatFailsDoesNotCompleteItsLeaseAndEndsNoWorker() {
    List<Boolean> completed = new CopyOnWriteArrayList<>();
    ToldWork work =
        ToldWork.starting(
            time ->
                switch (time) {
                  case 1 -> throw new IllegalStateException("at once");
                  case 2 -> CompletableFuture.failedStage(new IllegalStateException("later"));
                  case 3 -> CompletableFuture.completedStage("well");
                  default -> new CompletableFuture<Void>();
                });
    ElectedWorker worker =
        new ElectedWorker("w", free(() -> granted(completed::add)), RETRY, work, Ticker.system());
    worker.start();
    await().until(() -> work.calls.size() == 4);
    assertThat(completed).containsExactly(false, false, true);
    worker.retire();
  }
}
