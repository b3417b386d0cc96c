package dev.recorder.lock;

import static dev.recorder.lock.StatedLoss.doubted;
import static dev.recorder.lock.StatedLoss.kept;
import static dev.recorder.lock.StatedLoss.lost;

import dev.recorder.lock.Loss.Cause;
import dev.recorder.testing.TestSettings;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Nested;

/** The contract, on every kind that signals a loss, and what each states. */
class LossContractIT {
  @Nested
  class Advisory extends LossContract {
    /** The server says so, and the connection is read. */
    private static final Duration MILLISECONDS = Duration.ofMillis(50);

    /** A look begins every 250 ms. */
    private static final Duration LOOK = Duration.ofMillis(250);

    /** It is not answered in time. */
    private static final Duration LOOK_AND_TIMEOUT = LOOK.plus(TestSettings.NETWORK_TIMEOUT);

    Advisory() {
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

  /** What a row says holds whatever becomes of sessions. */
  @Nested
  class Task extends LossContract {
    /** The database is asked every second. */
    private static final Duration LOOK = Duration.ofSeconds(1);

    Task() {
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

  /** A key that is there, and ours, is renewed whatever becomes of connections. */
  @Nested
  class Redis extends LossContract {
    private static final Duration EXPIRY = RedisLossSite.EXPIRY;

    /** The next renewal finds it. */
    private static final Duration RENEWAL = EXPIRY.dividedBy(3).plus(RedisLossSite.TIMEOUT);

    Redis() {
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
}
