package dev.recorder.machine;

import dev.recorder.leadership.Signal;
import dev.recorder.logging.LogEvent;
import dev.recorder.logging.OutageLog;
import dev.recorder.machine.chores.PauseWatch;
import dev.recorder.machine.shared.SharedResources;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
import dev.recorder.time.Ticker;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports the state of the control session, and of the host's registration on it, to workers and
 * the log. For the control loop's thread.
 */
final class SessionReporter {
  private static final Logger log = LoggerFactory.getLogger(SessionReporter.class);

  /**
   * How long a start waits for the host's name, which a predecessor's dying session may still hold.
   */
  private static final Duration WAIT_FOR_NAME = Duration.ofSeconds(10);

  private final String machine;
  private final SharedResources resources;
  private final OutageLog database;
  private final RecorderRegistry registry;
  private final PauseWatch pauses;
  private final Ticker ticker;
  private long deadlineForName;
  private boolean everUp;
  private String nameTaken = "";

  SessionReporter(
      String machine,
      MachineLoop.MachineDependencies dependencies,
      RecorderRegistry registry,
      PauseWatch pauses,
      Ticker ticker) {
    this.machine = machine;
    this.resources = dependencies.resources();
    this.database = dependencies.database();
    this.registry = registry;
    this.pauses = pauses;
    this.ticker = ticker;
  }

  /** Starts the wait for the host's name. */
  void begin() {
    deadlineForName = ticker.nanos() + WAIT_FOR_NAME.toNanos();
  }

  /**
   * Fails if another process keeps using this host's name.
   *
   * @throws DatabaseException if that process has held the name for too long since {@link #begin}
   */
  void failIfNameIsTaken() {
    if (!everUp && !nameTaken.isEmpty() && ticker.nanos() - deadlineForName >= 0) {
      throw new DatabaseException(DatabaseErrorKind.BUSY, nameTaken);
    }
  }

  /** Handles the signals about the control session, and ignores others. */
  void on(Signal signal) {
    if (signal instanceof Signal.Up up) {
      everUp = true;
      resources.metrics().registered(true);
      database.up();
      pauses.registered(true);
      registry.up(true);
      log.info(LogEvent.REGISTERED, "registered as {}, database session {}", machine, up.pid());
    } else if (signal instanceof Signal.Down down) {
      resources.metrics().sessionLost();
      log.warn(
          LogEvent.CONTROL_SESSION_LOST,
          "control session lost, and all locks with it: {}",
          down.why());
      registry.up(false); // First, since an election key must be given back soon.
      pauses.registered(false);
      resources.abortSessions();
    } else if (signal instanceof Signal.Unreachable unreachable) {
      nameTaken = "";
      database.down(unreachable.why());
    } else if (signal instanceof Signal.Blocked blocked) {
      nameTaken = "";
      log.warn(
          LogEvent.DATABASE_NOT_USABLE,
          "the database does not answer properly, retrying: {}",
          blocked.why());
    } else if (signal instanceof Signal.NameTaken taken && !taken.why().equals(nameTaken)) {
      nameTaken = taken.why();
      log.warn(LogEvent.NAME_TAKEN, "waiting: {}", nameTaken);
    }
  }
}
