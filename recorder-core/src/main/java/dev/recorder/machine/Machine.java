package dev.recorder.machine;

import dev.recorder.leadership.Candidacy;
import dev.recorder.leadership.Coordinator;
import dev.recorder.leadership.Lease;
import dev.recorder.leadership.Signal;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseException.Kind;
import dev.recorder.postgres.JdbcControlSession;
import dev.recorder.postgres.PinnedLayout;
import dev.recorder.postgres.RdsManager;
import dev.recorder.postgres.Registration;
import dev.recorder.postgres.Sessions;
import dev.recorder.postgres.Setup;
import dev.recorder.slotlog.Ending;
import dev.recorder.slotlog.ObjectStore;
import dev.recorder.time.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One running instance: registers, keeps its recorders as primary or secondary, and stops cleanly.
 *
 * <p>{@link #run()} does everything on the calling thread and returns when it has been stopped;
 * {@link #stop()} is for any thread. A machine runs once.
 */
public final class Machine {
  private static final Logger log = LoggerFactory.getLogger(Machine.class);

  /** How long a start waits for the name, which a predecessor's dying session may still hold. */
  private static final Duration WAIT_FOR_NAME = Duration.ofSeconds(10);

  /** How long slots under way may take to settle when stopping. */
  private static final Duration STOP_WITHIN = Duration.ofSeconds(6);

  private static final Duration RETRY_SETUP = Duration.ofSeconds(1);

  private final MachineSettings settings;
  private final Function<RecorderSettings, ObjectStore> stores;
  private final Ticker ticker = Ticker.system();
  private final Lease lease = new Lease(ticker);
  private final Outage database = new Outage(log, "the database");
  private final Map<Integer, RecorderWorker> workers = new TreeMap<>();
  private final CountDownLatch stopRequested = new CountDownLatch(1);
  private boolean everUp;
  private String nameTaken = "";

  /**
   * A machine that has yet to {@link #run()}.
   *
   * @param stores gives the bucket of a recorder; buckets may be shared, and stay open
   */
  public Machine(MachineSettings settings, Function<RecorderSettings, ObjectStore> stores) {
    this.settings = settings;
    this.stores = stores;
  }

  /** Asks the machine to finish what is under way, let go of its recorders and return. */
  public void stop() {
    stopRequested.countDown();
  }

  /**
   * Runs until stopped.
   *
   * @throws DatabaseException if the database cannot be used as it is (rights, version, standby
   *     server, pooler: kind tells), or another process runs under this machine's name (BUSY). A
   *     database that cannot be reached is waited for, for ever.
   */
  public void run() throws InterruptedException {
    Sessions sessions = new Sessions(settings.database(), settings.name());
    try (LogContext context = LogContext.of(settings.name());
        RdsManager manager = new RdsManager(sessions);
        Workshop workshop = new Workshop(sessions, settings.recorders().size())) {
      List<Setup.Row> rows = setUp(manager);
      if (!isStopping()) {
        operate(manager, workshop, rows);
      }
    }
    log.info("{} has stopped", settings.name());
  }

  private boolean isStopping() {
    return stopRequested.getCount() == 0;
  }

  // ---- start

  private List<Setup.Row> setUp(RdsManager manager) throws InterruptedException {
    List<Setup.Wanted> wanted =
        settings.recorders().stream()
            .map(r -> new Setup.Wanted(r.lockId(), r.name(), "log", PinnedLayout.of(r.layout())))
            .toList();
    while (!isStopping()) {
      try {
        manager.connect();
        List<Setup.Row> rows = new Setup(manager).run(wanted);
        database.up();
        return rows;
      } catch (DatabaseException e) {
        if (e.kind() != Kind.UNREACHABLE && e.kind() != Kind.BUSY) {
          throw e;
        }
        database.down(String.valueOf(e.getMessage()));
        pauseUnlessStopped(RETRY_SETUP);
      }
    }
    return List.of();
  }

  private void pauseUnlessStopped(Duration pause) throws InterruptedException {
    if (stopRequested.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
      log.info("stopping before the database was reached");
    }
  }

  private void operate(RdsManager manager, Workshop workshop, List<Setup.Row> rows)
      throws InterruptedException {
    Coordinator coordinator =
        new Coordinator(settings.name(), settings.timing(), candidacies(), lease, ticker.nanos());
    Set<Integer> lockIds =
        settings.recorders().stream()
            .map(RecorderSettings::lockId)
            .collect(Collectors.toUnmodifiableSet());
    try (JdbcControlSession session = new JdbcControlSession(manager, lockIds, registration())) {
      ControlLoop loop =
          new ControlLoop(coordinator, session, ticker, signal -> onSignal(signal, workshop));
      hire(manager, workshop, loop, rows);
      long deadlineForName = ticker.nanos() + WAIT_FOR_NAME.toNanos();
      while (!isStopping()) {
        loop.turn();
        if (!everUp && !nameTaken.isEmpty() && ticker.nanos() - deadlineForName >= 0) {
          throw new DatabaseException(Kind.BUSY, nameTaken);
        }
      }
      finish(coordinator, loop);
    }
  }

  private List<Candidacy> candidacies() {
    return settings.recorders().stream()
        .map(r -> new Candidacy(r.lockId(), r.name().value(), r.primary()))
        .toList();
  }

  private Registration registration() {
    Set<Integer> primaryFor =
        settings.recorders().stream()
            .filter(RecorderSettings::primary)
            .map(RecorderSettings::lockId)
            .collect(Collectors.toUnmodifiableSet());
    return new Registration(
        primaryFor,
        settings.recorders().size() - primaryFor.size(),
        settings.version(),
        settings.configHash());
  }

  private void hire(RdsManager manager, Workshop workshop, ControlLoop loop, List<Setup.Row> rows) {
    Map<Integer, Setup.Row> rowOf =
        rows.stream().collect(Collectors.toMap(Setup.Row::lockId, Function.identity()));
    for (RecorderSettings recorder : settings.recorders()) {
      RecorderWorker worker =
          new RecorderWorker(
              settings.name(),
              recorder,
              stores.apply(recorder),
              workshop,
              (lockId, epoch, ending) -> loop.tell(c -> onEnding(c, lockId, epoch, ending)));
      workers.put(recorder.lockId(), worker);
      Setup.Row row = rowOf.get(recorder.lockId());
      if (row == null || !row.refusal().isEmpty()) {
        String refusal = row == null ? "it has no row in the database" : row.refusal();
        log.error("recorder {} is refused on this machine: {}", recorder.name(), refusal);
        loop.tell(c -> c.setUnable(recorder.lockId(), refusal, ticker.nanos()));
      } else {
        new Preparation(recorder, worker.bucket(), row, manager, workshop)
            .start(
                unable -> {
                  if (unable == null) {
                    worker.rehearse(row.log());
                  }
                  loop.tell(c -> c.setUnable(recorder.lockId(), unable, ticker.nanos()));
                });
      }
    }
  }

  // ---- work; all on the control loop's thread

  private void onSignal(Signal signal, Workshop workshop) {
    if (signal instanceof Signal.TermBegun begun) {
      worker(begun.term().lockId()).begin(begun.term(), begun.receipt(), lease, ticker);
    } else if (signal instanceof Signal.TermEnded ended) {
      worker(ended.lockId()).end(ended.epoch(), ended.why());
    } else if (signal instanceof Signal.StandingBy standing) {
      worker(standing.lockId()).standingBy(standing.why());
    } else if (signal instanceof Signal.Up up) {
      everUp = true;
      database.up();
      log.info("registered as {}, database session {}", settings.name(), up.pid());
    } else if (signal instanceof Signal.Down down) {
      log.warn("control session lost, every lock with it: {}", down.why());
      workshop.abortSessions();
    } else if (signal instanceof Signal.Unreachable unreachable) {
      database.down(unreachable.why());
    } else if (signal instanceof Signal.NameTaken taken) {
      onNameTaken(taken.why());
    }
  }

  private void onNameTaken(String why) {
    if (!why.equals(nameTaken)) {
      nameTaken = why;
      log.warn("waiting: {}", why);
    }
  }

  private void onEnding(Coordinator coordinator, int lockId, long epoch, Ending ending) {
    if (ending.kind() == Ending.Kind.REFUSED) {
      log.error(
          "recorder {} is refused on this machine until it is restarted: {}",
          worker(lockId).settings().name(),
          ending.why());
      coordinator.setUnable(lockId, ending.why(), ticker.nanos());
    }
    coordinator.release(lockId, epoch, ending.why());
  }

  private RecorderWorker worker(int lockId) {
    RecorderWorker worker = workers.get(lockId);
    if (worker == null) {
      throw new IllegalArgumentException("no recorder with lockid " + lockId);
    }
    return worker;
  }

  // ---- stop

  private void finish(Coordinator coordinator, ControlLoop loop) throws InterruptedException {
    log.info("stopping: slots under way are settled, then the recorders are released");
    coordinator.stop();
    workers.values().forEach(RecorderWorker::stop);
    long deadline = ticker.nanos() + STOP_WITHIN.toNanos();
    while (coordinator.holdsAny() && ticker.nanos() - deadline < 0) {
      loop.turn();
    }
    if (coordinator.holdsAny()) {
      log.warn(
          "stopping with slots under way that did not settle within {} s; the next active machine"
              + " finds them",
          STOP_WITHIN.toSeconds());
    }
    workers.values().forEach(worker -> worker.end(worker.epoch(), "stopped"));
  }
}
