package dev.recorder.lock;

import static dev.recorder.lock.StatedLoss.doubted;
import static dev.recorder.lock.StatedLoss.kept;
import static dev.recorder.lock.StatedLoss.lost;

import dev.recorder.lock.Loss.Cause;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.parallel.ResourceLock;

/** {@link LossContract} of tasks: what a row says holds whatever becomes of sessions. */
@ResourceLock(HarmedPostgres.ALONE)
class TaskLossIT extends LossContract {
  /** The database is asked every second. */
  private static final Duration LOOK = Duration.ofSeconds(1);

  TaskLossIT() {
    super(TaskLossSite::new, stated(), Set.of());
  }

  static List<StatedLoss> stated() {
    Duration deadline = TaskLossSite.TIMEOUT;
    return List.of(
        lost(Harm.FORCED, Cause.REVOKED, LOOK),
        lost(Harm.DELETED, Cause.REVOKED, LOOK),
        lost(Harm.OVERWRITTEN, Cause.TAKEN_OVER, LOOK),
        lost(Harm.SERVERS_CLOCK_AHEAD, Cause.TAKEN_OVER, LOOK),
        lost(Harm.HOLDERS_CLOCK_STOPPED, Cause.TAKEN_OVER, LOOK),
        lost(Harm.HOLDERS_CLOCK_AHEAD, Cause.LEASE_EXPIRED, LOOK),
        lost(Harm.SERVER_FROZEN, Cause.LEASE_EXPIRED, deadline),
        lost(Harm.NETWORK_CUT, Cause.LEASE_EXPIRED, deadline),
        doubted(Harm.CONNECTIONS_REFUSED, Cause.LEASE_EXPIRED, deadline),
        kept(Harm.SESSION_ENDED),
        kept(Harm.SERVER_RESTARTED),
        kept(Harm.ONE_RENEWAL_FAILED));
  }
}
