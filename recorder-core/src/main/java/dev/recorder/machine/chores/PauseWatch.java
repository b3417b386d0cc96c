package dev.recorder.machine.chores;

import dev.recorder.leadership.postgres.PausedQuery;
import dev.recorder.leadership.postgres.PausedQuery.Lasting;
import dev.recorder.logging.LogEvent;
import dev.recorder.machine.schedule.Chore.ChoreWork;
import dev.recorder.machine.schedule.ScheduledChore;
import dev.recorder.machine.shared.SharedResources;
import dev.recorder.metrics.MachineMetrics;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
import dev.recorder.postgres.RdsManager;
import dev.recorder.requests.worker.BackEnds;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks, every second on the control session, which recorders are paused by the server's clock. The
 * pause itself does not depend on these looks: rows of a paused log are never read. The looks stop
 * this host's other work for the recorder: it claims no requests, clears nothing, and does not take
 * the standstill for a stuck writer.
 *
 * <p>A host that has just registered claims no requests before it has looked. While the database
 * does not answer, the last answer stays in force. For the control loop's thread, which is its
 * lane.
 */
public final class PauseWatch implements ChoreWork, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(PauseWatch.class);
  private static final Duration EVERY = Duration.ofSeconds(1);

  private final RdsManager manager;
  private final PausedQuery query;
  private final SharedResources resources;
  private final BackEnds backEnds;
  private final ScheduledChore chore;
  private boolean registered;
  private boolean told;
  private Map<Integer, Lasting> before = Map.of();

  public PauseWatch(
      RdsManager manager, SharedResources resources, BackEnds backEnds, Executor loop) {
    this.manager = manager;
    this.query = new PausedQuery(manager.schemas());
    this.resources = resources;
    this.backEnds = backEnds;
    this.chore = resources.begin("a look at pauses", EVERY, loop, this);
  }

  /** Notes whether this host is registered on the control session. */
  public void registered(boolean is) {
    registered = is;
    if (is) {
      chore.dueIn(Duration.ZERO);
    } else {
      told = false;
      backEnds.registered(false);
    }
  }

  @Override
  public void turn() {
    if (registered) {
      saw(manager.call(query::on));
      mayClaim();
    }
  }

  @Override
  public void failed(DatabaseException e, boolean isNew) {
    if (e.kind() == DatabaseErrorKind.RIGHTS) {
      mayClaim(); // Peers have the same role, so none of them can have set a pause.
    }
  }

  @Override
  public void close() {
    chore.close();
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
                LogEvent.RESUMED,
                "recorder {} is no longer paused, and continues",
                pause.recorder());
          }
        });
    before = Map.copyOf(paused);
  }
}
