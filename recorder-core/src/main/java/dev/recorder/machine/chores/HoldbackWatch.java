package dev.recorder.machine.chores;

import dev.recorder.leadership.postgres.Condition.About;
import dev.recorder.logging.LogEvent;
import dev.recorder.machine.shared.SharedResources;
import dev.recorder.postgres.RdsManager;
import dev.recorder.postgres.holders.XminHolder;
import dev.recorder.postgres.holders.XminHolderQuery;
import dev.recorder.time.Ticker;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks, once a minute, which transaction keeps the server from removing old row versions. Each
 * heartbeat and each slot leaves an old version of a row behind, and each read of the row must skip
 * all of them.
 */
public final class HoldbackWatch {
  private static final Logger log = LoggerFactory.getLogger(HoldbackWatch.class);
  private static final Duration EVERY = Duration.ofMinutes(1);

  private final RdsManager manager;
  private final SharedResources resources;

  // Used by one turn at a time.
  private final Holdback holdback;

  public HoldbackWatch(RdsManager manager, SharedResources resources, Ticker ticker) {
    this.manager = manager;
    this.resources = resources;
    this.holdback = new Holdback(ticker);
    resources.begin("a look at who holds back row versions", EVERY, this::look);
  }

  private void look() {
    Optional<XminHolder> oldest = manager.call(XminHolderQuery::oldest);
    Optional<XminHolder> told = holdback.look(oldest);
    Optional<XminHolder> lasting = holdback.isLong() ? oldest : Optional.empty();
    resources.conditions().state("", About.XMIN, lasting.map(XminHolder::what).orElse(null));
    told.ifPresent(
        holder ->
            log.warn(
                LogEvent.ROW_VERSIONS_HELD_BACK,
                "old row versions have not been removed for {} min, and the recorder's statements"
                    + " get slower with each of them; held back by {}",
                Holdback.LONG.toMinutes(),
                holder.what()));
  }
}
