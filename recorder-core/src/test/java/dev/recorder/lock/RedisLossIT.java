package dev.recorder.lock;

import static dev.recorder.lock.StatedLoss.doubted;
import static dev.recorder.lock.StatedLoss.kept;
import static dev.recorder.lock.StatedLoss.lost;

import dev.recorder.lock.Loss.Cause;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * {@link LossContract} of keys on Redis: one that is there, and ours, is renewed whatever befalls
 * connections.
 */
class RedisLossIT extends LossContract {
  private static final Duration EXPIRY = RedisLossSite.EXPIRY;

  /** The next renewal finds it. */
  private static final Duration RENEWAL = EXPIRY.dividedBy(3).plus(RedisLossSite.TIMEOUT);

  RedisLossIT() {
    super(RedisLossSite::new, stated(), Set.of());
  }

  static List<StatedLoss> stated() {
    return List.of(
        lost(Harm.FORCED, Cause.REVOKED, RENEWAL),
        lost(Harm.OVERWRITTEN, Cause.TAKEN_OVER, RENEWAL),
        lost(Harm.SERVER_RESTARTED, Cause.REVOKED, RENEWAL),
        lost(Harm.HOLDERS_CLOCK_STOPPED, Cause.TAKEN_OVER, RENEWAL),
        lost(Harm.HOLDERS_CLOCK_AHEAD, Cause.LEASE_EXPIRED, EXPIRY),
        doubted(Harm.SERVER_FROZEN, Cause.LEASE_EXPIRED, EXPIRY),
        doubted(Harm.NETWORK_CUT, Cause.LEASE_EXPIRED, EXPIRY),
        doubted(Harm.CONNECTIONS_REFUSED, Cause.LEASE_EXPIRED, EXPIRY),
        kept(Harm.DELETED),
        kept(Harm.SERVERS_CLOCK_AHEAD),
        kept(Harm.SESSION_ENDED),
        kept(Harm.ONE_RENEWAL_FAILED));
  }
}
