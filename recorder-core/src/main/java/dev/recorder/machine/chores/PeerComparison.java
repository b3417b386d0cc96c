package dev.recorder.machine.chores;

import dev.recorder.leadership.postgres.PeerQuery;
import dev.recorder.leadership.postgres.Registration;
import dev.recorder.logging.LogEvent;
import dev.recorder.machine.shared.SharedResources;
import dev.recorder.postgres.RdsManager;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks, every five seconds, whether the other hosts have the same configuration as this one, and
 * logs each difference once: sections of the file, two primaries of a recorder, versions. A
 * possibly transient difference is logged if it still holds after {@value #PASSING_LOOKS} looks. A
 * logged difference is logged again only if it was gone for longer than that, so not after a host's
 * restart.
 */
public final class PeerComparison {
  private static final Logger log = LoggerFactory.getLogger(PeerComparison.class);
  private static final Duration EVERY = Duration.ofSeconds(5);
  private static final int PASSING_LOOKS = 12;

  private final RdsManager manager;
  private final PeerQuery query;

  /** In how many successive looks each difference was seen; used by one turn at a time. */
  private final Map<Difference, Integer> seen = new HashMap<>();

  /** In which look each logged difference was last seen. */
  private final Map<Difference, Integer> told = new HashMap<>();

  private int looksInAll;

  private volatile Registration mine;

  public PeerComparison(RdsManager manager, SharedResources resources, Registration mine) {
    this.manager = manager;
    this.query = new PeerQuery(manager.schemas(), manager.machine());
    this.mine = mine;
    resources.begin("the comparison with the other hosts", EVERY, this::look);
  }

  /** Sets this host's present registration. */
  public void compareWith(Registration changed) {
    mine = changed;
  }

  private void look() {
    Collection<Difference> differences = Difference.all(mine, manager.call(query::living));
    looksInAll++;
    seen.keySet().retainAll(differences);
    told.values().removeIf(last -> looksInAll - last > PASSING_LOOKS);
    for (Difference difference : differences) {
      int looks = seen.merge(difference, 1, Integer::sum);
      boolean isDue = looks >= (difference.passing() ? PASSING_LOOKS : 1);
      if (isDue && told.put(difference, looksInAll) == null) {
        log.warn(LogEvent.HOSTS_DIFFER, "{}", difference.sentence());
      }
    }
  }
}
