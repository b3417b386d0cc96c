package dev.recorder.machine.chores;

import dev.recorder.leadership.postgres.PausedQuery;
import dev.recorder.leadership.postgres.PausedQuery.Lasting;
import dev.recorder.logging.LogEvent;
import dev.recorder.machine.shared.SharedResources;
import dev.recorder.metrics.MachineMetrics;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
import dev.recorder.postgres.RdsManager;
import dev.recorder.requests.worker.BackEnds;
import dev.recorder.time.Ticker;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks, once in {@link #PACE} on the control session, which recorders are paused, by the server's
 * clock. Logs are not read while they are, whether this has seen it or not; what hangs on it is
 * what this machine does beside: it claims no requests, clears nothing, and takes no halt for one.
 *
 * <p>A machine that has just registered claims no requests before it has looked. While there is no
 * answer, what was seen last holds. For the control loop's thread.
 */
public final class PauseWatch {
  private static final Logger log = LoggerFactory.getLogger(PauseWatch.class);
  static final Duration PACE = Duration.ofSeconds(1);

  /** How long a locked table is left alone: heartbeats go over the same session. */
  static final Duration AFTER_FAILURE = Duration.ofSeconds(5);

  private final RdsManager manager;
  private final PausedQuery query;
  private final SharedResources resources;
  private final BackEnds backEnds;
  private final Ticker ticker;
  private long nextAt;
  private boolean registered;
  private boolean told;
  private Map<Integer, Lasting> before = Map.of();

  public PauseWatch(
      RdsManager manager, SharedResources resources, BackEnds backEnds, Ticker ticker) {
    this.manager = manager;
    this.query = new PausedQuery(manager.schemas());
    this.resources = resources;
    this.backEnds = backEnds;
    this.ticker = ticker;
    this.nextAt = ticker.nanos();
  }

  /** The control session is there, or is not any more. */
  public void registered(boolean is) {
    registered = is;
    nextAt = ticker.nanos();
    if (!is) {
      told = false;
      backEnds.registered(false);
    }
  }

  /** Looks, if it is time to. */
  public void lookWhenDue() {
    if (!registered || ticker.nanos() - nextAt < 0) {
      return;
    }
    try {
      saw(manager.call(query::on));
      mayClaim();
      nextAt = ticker.nanos() + PACE.toNanos();
    } catch (DatabaseException e) {
      nextAt = ticker.nanos() + AFTER_FAILURE.toNanos();
      if (e.kind() == DatabaseErrorKind.RIGHTS) {
        mayClaim(); // Of the same role, nobody can have had anything paused.
      }
      log.debug("what is paused could not be determined: {}", e.getMessage());
    }
  }

  private void mayClaim() {
    if (!told) {
      told = true;
      backEnds.registered(true);
    }
  }

  private void saw(Map<Integer, Lasting> paused) {
    if (paused.equals(before)) {
      return;
    }
    resources.pauses().are(paused.keySet());
    backEnds.paused(paused.keySet());
    MachineMetrics metrics = resources.metrics();
    metrics.paused(paused.values().stream().map(Lasting::recorder).collect(Collectors.toSet()));
    paused.forEach(
        (lockId, pause) -> {
          if (!pause.equals(before.get(lockId)) && metrics.has(pause.recorder())) {
            log.info(
                LogEvent.PAUSED,
                "recorder {} is paused until {}: {}",
                pause.recorder(),
                pause.until(),
                pause.reason());
          }
        });
    before.forEach(
        (lockId, pause) -> {
          if (!paused.containsKey(lockId) && metrics.has(pause.recorder())) {
            log.info(
                LogEvent.RESUMED, "recorder {} is no longer paused, and goes on", pause.recorder());
          }
        });
    before = Map.copyOf(paused);
  }
}
