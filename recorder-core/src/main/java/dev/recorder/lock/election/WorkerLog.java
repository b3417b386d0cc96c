package dev.recorder.lock.election;

import dev.recorder.logging.LogEvent;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs the changes of a worker, each once. */
final class WorkerLog {
  private static final Logger log = LoggerFactory.getLogger(ElectedWorker.class);

  private final String worker;
  private final String lock;
  private String said = "";
  private boolean waiting;

  WorkerLog(String worker, String lock) {
    this.worker = worker;
    this.lock = lock;
  }

  /** Logs a change; repeated failed attempts are logged once. */
  void changed(WorkerState before, WorkerEvent event, WorkerState after) {
    if (after.equals(before) || event == WorkerEvent.RETRY_DUE) {
      return;
    }
    boolean again = waiting && event == WorkerEvent.NOT_ACQUIRED;
    waiting = after instanceof WorkerState.WaitingToAcquireLock;
    if (!again) {
      log.info(
          LogEvent.WORKER_CHANGED,
          "worker {}, lock {}: {} -> {} ({})",
          worker,
          lock,
          before.word(),
          after.word(),
          event.name().toLowerCase(Locale.ROOT));
    }
  }

  void answers() {
    if (!said.isEmpty()) {
      log.info(
          LogEvent.LOCK_SERVICE_ANSWERS,
          "worker {}, lock {}: the lock service answers again",
          worker,
          lock);
    }
    said = "";
  }

  void failed(Exception failure) {
    String why = String.valueOf(failure.getMessage());
    if (!why.equals(said)) {
      log.warn(LogEvent.WORKER_WAITS, "worker {}: {}", worker, why);
    }
    said = why;
  }

  void bug(WorkerEffect effect, Exception bug) {
    log.error(
        LogEvent.BUG, "bug: worker {} failed in an unforeseen way at {}", worker, effect, bug);
  }
}
