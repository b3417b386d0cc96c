package dev.recorder.machine.chores;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.recorder.leadership.postgres.PeerQuery;
import dev.recorder.leadership.postgres.PeerRegistration;
import dev.recorder.leadership.postgres.Registration;
import dev.recorder.logging.LogContext;
import dev.recorder.logging.LogEvent;
import dev.recorder.machine.shared.SharedResources;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.RdsManager;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks, every {@value #EVERY_SECONDS} s, whether the other machines are configured as this one is,
 * and says once what differs: sections of the file, two primaries of a recorder, versions. What may
 * be transient is logged if it still holds after {@value #PASSING_LOOKS} looks.
 */
public final class PeerComparison {
  private static final Logger log = LoggerFactory.getLogger(PeerComparison.class);
  private static final int EVERY_SECONDS = 5;
  private static final int PASSING_LOOKS = 12;

  private final RdsManager manager;
  private final SharedResources resources;
  private final PeerQuery query;

  /** In how many looks in a row each difference was seen. */
  @GuardedBy("this")
  private final Map<Difference, Integer> seen = new HashMap<>();

  private volatile Registration mine;
  private volatile boolean told;

  public PeerComparison(RdsManager manager, SharedResources resources, Registration mine) {
    this.manager = manager;
    this.resources = resources;
    this.query = new PeerQuery(manager.schemas(), manager.machine());
    this.mine = mine;
    var unused =
        resources
            .timer()
            .scheduleWithFixedDelay(this::hand, EVERY_SECONDS, EVERY_SECONDS, TimeUnit.SECONDS);
  }

  /** What this machine is from now on. */
  public void compareWith(Registration changed) {
    mine = changed;
  }

  private void hand() {
    try {
      resources.store().execute(this::lookSafely);
    } catch (RejectedExecutionException stopping) {
      log.debug("stopping: no more looks at the neighbours");
    }
  }

  /** What another version writes there must not end this machine. */
  private void lookSafely() {
    try {
      look();
    } catch (RuntimeException bug) {
      if (!told) {
        told = true;
        log.error(LogEvent.BUG, "bug: what the other machines are could not be compared", bug);
      }
    }
  }

  private synchronized void look() {
    List<PeerRegistration> peers;
    try {
      peers = manager.call(query::living);
    } catch (DatabaseException notNow) {
      return; // That it is not reachable is told by whoever needs it.
    }
    tell(Difference.all(mine, peers));
  }

  @GuardedBy("this")
  private void tell(Collection<Difference> differences) {
    seen.keySet().retainAll(differences);
    for (Difference difference : differences) {
      int looks = seen.merge(difference, 1, Integer::sum);
      if (looks == (difference.passing() ? PASSING_LOOKS : 1)) {
        try (LogContext context = LogContext.of(manager.machine())) {
          log.warn(LogEvent.HOSTS_DIFFER, "{}", difference.sentence());
        }
      }
    }
  }
}
