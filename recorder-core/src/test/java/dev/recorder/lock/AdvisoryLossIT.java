package dev.recorder.lock;

import static dev.recorder.lock.StatedLoss.doubted;
import static dev.recorder.lock.StatedLoss.kept;
import static dev.recorder.lock.StatedLoss.lost;

import dev.recorder.lock.Loss.Cause;
import dev.recorder.testing.servers.TestSettings;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.parallel.ResourceLock;

/** {@link LossContract} of advisory locks, and what each harm does to them. */
@ResourceLock(HarmedPostgres.ALONE)
class AdvisoryLossIT extends LossContract {
  /** The server says so, and the connection is read. */
  private static final Duration MILLISECONDS = Duration.ofMillis(50);

  /** A look begins every 250 ms. */
  private static final Duration LOOK = Duration.ofMillis(250);

  /** It is not answered in time. */
  private static final Duration LOOK_AND_TIMEOUT = LOOK.plus(TestSettings.NETWORK_TIMEOUT);

  AdvisoryLossIT() {
    super(
        AdvisoryLossSite::new,
        stated(),
        Set.of(Harm.DELETED, Harm.OVERWRITTEN, Harm.SERVERS_CLOCK_AHEAD));
  }

  static List<StatedLoss> stated() {
    return List.of(
        lost(Harm.SESSION_ENDED, Cause.SESSION_TERMINATED, MILLISECONDS),
        lost(Harm.FORCED, Cause.SESSION_TERMINATED, MILLISECONDS),
        lost(Harm.SERVER_RESTARTED, Cause.SESSION_TERMINATED, MILLISECONDS),
        lost(Harm.CONNECTIONS_REFUSED, Cause.SESSION_TERMINATED, MILLISECONDS),
        doubted(Harm.SERVER_FROZEN, Cause.PROBE_TIMED_OUT, LOOK_AND_TIMEOUT),
        doubted(Harm.NETWORK_CUT, Cause.PROBE_TIMED_OUT, LOOK_AND_TIMEOUT),
        lost(Harm.HOLDERS_CLOCK_AHEAD, Cause.LEASE_EXPIRED, LOOK),
        kept(Harm.HOLDERS_CLOCK_STOPPED),
        kept(Harm.ONE_RENEWAL_FAILED));
  }
}
