package dev.recorder.machine;

import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.Neighbour;
import dev.recorder.postgres.NeighbourQuery;
import dev.recorder.postgres.RdsManager;
import dev.recorder.postgres.Registration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks, every {@value #EVERY_SECONDS} s, whether the other machines are configured as this one is,
 * and says once what differs: sections of the file, two primaries of a recorder, versions.
 */
final class Neighbours {
  private static final Logger log = LoggerFactory.getLogger(Neighbours.class);
  private static final int EVERY_SECONDS = 5;

  private final RdsManager manager;
  private final Workshop workshop;
  private final NeighbourQuery query;
  private final Set<Difference> told = new HashSet<>();
  private volatile Registration mine;

  Neighbours(RdsManager manager, Workshop workshop, Registration mine) {
    this.manager = manager;
    this.workshop = workshop;
    this.query = new NeighbourQuery(manager.schemas(), manager.machine());
    this.mine = mine;
    var unused =
        workshop
            .timer()
            .scheduleWithFixedDelay(this::hand, EVERY_SECONDS, EVERY_SECONDS, TimeUnit.SECONDS);
  }

  /** What this machine is from now on. */
  void compareWith(Registration changed) {
    mine = changed;
  }

  private void hand() {
    try {
      workshop.store().execute(this::look);
    } catch (RejectedExecutionException stopping) {
      log.debug("stopping: no more looks at the neighbours");
    }
  }

  private synchronized void look() {
    List<Neighbour> neighbours;
    try {
      neighbours = manager.call(query::living);
    } catch (DatabaseException notNow) {
      return; // That it is not reachable is told by whoever needs it.
    }
    tell(Difference.all(mine, neighbours));
  }

  private void tell(Collection<Difference> differences) {
    told.retainAll(differences);
    for (Difference difference : differences) {
      if (told.add(difference)) {
        try (LogContext context = LogContext.of(manager.machine())) {
          log.warn("{}", difference.sentence());
        }
      }
    }
  }
}
