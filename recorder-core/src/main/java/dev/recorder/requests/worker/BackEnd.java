package dev.recorder.requests.worker;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.recorder.logging.LogContext;
import dev.recorder.logging.LogEvent;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
import dev.recorder.postgres.Sessions;
import dev.recorder.requests.handlers.HandlerException;
import dev.recorder.requests.postgres.RequestSession;
import dev.recorder.time.NamedThreadFactory;
import dev.recorder.time.Supervision;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One recorder of requests on this host, with its workers, from the check of their prerequisites to
 * their end. Thread-safe.
 */
final class BackEnd implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(BackEnd.class);
  private static final Duration CHECK_AGAIN = Duration.ofSeconds(2);

  private final WorkerContext shared;
  private final BackEndOwner owner;
  private final List<RequestWorker> workers = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();

  @GuardedBy("this")
  private String databaseTrouble = "";

  /** Receives the results of checks. */
  interface BackEndOwner {
    /** Reports why no request can be processed now; empty if all is well. On any thread. */
    void found(BackEnd backEnd, String trouble);

    /**
     * Reports that the recorder must not run here, for this reason, and has ended. On any thread.
     */
    void refused(BackEnd backEnd, String why);
  }

  BackEnd(WorkerContext shared, Sessions sessions, Supervision supervision, BackEndOwner owner) {
    this.shared = shared;
    this.owner = owner;
    BackEndSettings settings = shared.settings();
    // The server's limit is longer than those of the worker and its supervisor, and so the last to
    // end a unit.
    BackEndSettings.BackEndCapacity effort = settings.effort();
    Duration unitLimit =
        effort.timeLimit().plus(effort.patience()).plus(TimeLimit.GRACE.multipliedBy(2));
    NamedThreadFactory names =
        new NamedThreadFactory(
            "request-" + settings.name(), supervision.fatal(), shared.handling().threads());
    for (int i = 0; i < effort.workers(); i++) {
      RequestWorker worker =
          new RequestWorker(shared, supervision.ticker(), () -> open(sessions, unitLimit));
      workers.add(worker);
      threads.add(names.newThread(i == 0 ? () -> prepareAndRun(worker) : worker));
    }
  }

  /**
   * Opens a session; the database behind the name may meanwhile be one that the recorder must not
   * write from.
   */
  private RequestSession open(Sessions sessions, Duration unitLimit) {
    try {
      RequestSession opened =
          RequestSession.open(sessions, settings().name(), settings().lockId(), unitLimit);
      foundOfDatabase("");
      return opened;
    } catch (DatabaseException e) {
      if (e.kind() == DatabaseErrorKind.UNUSABLE) {
        foundOfDatabase(String.valueOf(e.getMessage()));
      }
      throw e;
    }
  }

  private synchronized void foundOfDatabase(String trouble) {
    if (!trouble.equals(databaseTrouble)) {
      databaseTrouble = trouble;
      owner.found(this, trouble);
    }
  }

  BackEndSettings settings() {
    return shared.settings();
  }

  void start() {
    threads.forEach(Thread::start);
  }

  ClaimGate claimControl() {
    return shared.claimControl();
  }

  private void prepareAndRun(RequestWorker worker) {
    try (LogContext context =
        LogContext.of(shared.together().machine(), shared.settings().name().value(), 0)) {
      prepare();
    } catch (HandlerException notMade) {
      stop();
      owner.refused(this, String.valueOf(notMade.getMessage()));
    }
    worker.run();
  }

  private void prepare() {
    String last = "";
    while (!claimControl().isStopping()) {
      String trouble = trouble(last);
      claimControl().dropInterruptUnlessStopping(); // A store's client may have left it.
      if (trouble.isEmpty()) {
        log.info(
            LogEvent.PROCESSING_REQUESTS,
            "processing requests, {} at a time",
            shared.settings().effort().workers());
        owner.found(this, "");
        claimControl().able();
        return;
      }
      if (!trouble.equals(last) && !claimControl().isStopping()) {
        log.error(
            LogEvent.NOT_ABLE,
            "not able to process requests, checking again every {} s: {}",
            CHECK_AGAIN.toSeconds(),
            trouble);
        owner.found(this, trouble);
        last = trouble;
      }
      rest();
    }
  }

  private void rest() {
    try {
      claimControl().rest(CHECK_AGAIN);
    } catch (InterruptedException shorter) {
      // If this host stops, resting workers notice it next.
    }
  }

  private String trouble(String last) {
    try {
      return shared.handling().trouble();
    } catch (HandlerException notMade) {
      throw notMade;
    } catch (RuntimeException bug) {
      String trouble = "internal error: " + bug;
      if (!trouble.equals(last)) {
        log.error(
            LogEvent.BUG, "bug: a check of what requests need failed in an unforeseen way", bug);
      }
      return trouble;
    }
  }

  /** Ends claims; running units continue. */
  void stop() {
    claimControl().stop();
  }

  /** Whether a worker still runs. */
  boolean isWorking() {
    return threads.stream().anyMatch(Thread::isAlive);
  }

  /**
   * Interrupts running units; they are rolled back, and other hosts can begin their requests at
   * once.
   */
  void interrupt() {
    threads.forEach(Thread::interrupt);
  }

  @Override
  public void close() {
    stop();
    interrupt();
    workers.forEach(RequestWorker::abort);
  }
}
