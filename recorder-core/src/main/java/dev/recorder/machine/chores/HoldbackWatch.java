package dev.recorder.machine.chores;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.recorder.leadership.postgres.Condition.About;
import dev.recorder.logging.LogContext;
import dev.recorder.logging.LogEvent;
import dev.recorder.machine.shared.SharedResources;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.RdsManager;
import dev.recorder.postgres.holders.XminHolder;
import dev.recorder.postgres.holders.XminHolderQuery;
import dev.recorder.time.Ticker;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks, every {@value #EVERY_SECONDS} s, who keeps the server from removing old row versions. Each
 * heartbeat and each slot leaves one behind, and whoever looks at the row walks over all of them.
 */
public final class HoldbackWatch {
  private static final Logger log = LoggerFactory.getLogger(HoldbackWatch.class);
  private static final int EVERY_SECONDS = 60;

  private final RdsManager manager;
  private final SharedResources resources;

  @GuardedBy("this")
  private final Holdback holdback;

  public HoldbackWatch(RdsManager manager, SharedResources resources, Ticker ticker) {
    this.manager = manager;
    this.resources = resources;
    this.holdback = new Holdback(ticker);
    var unused =
        resources
            .timer()
            .scheduleWithFixedDelay(this::hand, EVERY_SECONDS, EVERY_SECONDS, TimeUnit.SECONDS);
  }

  private void hand() {
    try {
      resources.store().execute(this::look);
    } catch (RejectedExecutionException stopping) {
      log.debug("stopping: no more looks at who holds back row versions");
    }
  }

  private synchronized void look() {
    try (LogContext context = LogContext.of(manager.machine())) {
      Optional<XminHolder> oldest = manager.call(XminHolderQuery::oldest);
      Optional<XminHolder> told = holdback.look(oldest);
      Optional<XminHolder> lasting = holdback.isLong() ? oldest : Optional.empty();
      resources.conditions().state("", About.XMIN, lasting.map(XminHolder::what).orElse(null));
      told.ifPresent(
          holder ->
              log.warn(
                  LogEvent.ROW_VERSIONS_HELD_BACK,
                  "old row versions have not been removed for {} min, and the recorder's"
                      + " statements get slower with each of them; held back by {}",
                  Holdback.LONG.toMinutes(),
                  holder.what()));
    } catch (DatabaseException notNow) {
      log.debug("who holds back row versions could not be determined: {}", notNow.getMessage());
    }
  }
}
