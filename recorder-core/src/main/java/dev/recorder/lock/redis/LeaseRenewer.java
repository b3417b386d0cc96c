package dev.recorder.lock.redis;

import dev.recorder.lock.Instruments;
import dev.recorder.lock.LeaseState;
import dev.recorder.lock.LockException;
import dev.recorder.lock.Loss;
import dev.recorder.lock.TrackedLease;
import dev.recorder.logging.LogEvent;
import dev.recorder.logging.OutageLog;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renews leases and gives back unused keys, on a connection and a thread of its own, so that
 * waiters cannot delay renewals.
 *
 * <p>If the server does not answer, the rest of the round is skipped: all due leases are in doubt,
 * and the next round begins after {@link RedisLockOptions#retry()}.
 */
final class LeaseRenewer implements Runnable {
  private static final Logger log = LoggerFactory.getLogger(LeaseRenewer.class);

  private final RedisSettings settings;
  private final KeyAcquisition granting;
  private final String client;
  private final RedisLockOptions options;
  private final OpenLeases holdings;
  private final WakeUp alarm;
  private final Instruments instruments;
  private final OutageLog outage;

  // Used by the renewer's thread only.
  private @Nullable RedisLink link;
  private @Nullable String noTokens;

  private volatile boolean stopping;

  LeaseRenewer(
      RedisContext site,
      KeyAcquisition granting,
      OpenLeases holdings,
      WakeUp alarm,
      OutageLog outage) {
    this.granting = granting;
    this.settings = site.settings();
    this.client = site.worker();
    this.options = site.options();
    this.instruments = site.instruments();
    this.holdings = holdings;
    this.alarm = alarm;
    this.outage = outage;
  }

  /** Ends the thread after one attempt to give back all keys. */
  void stop() {
    stopping = true;
    alarm.at(instruments.nanos());
  }

  @Override
  public void run() {
    try {
      while (!stopping) {
        round();
        if (!stopping) {
          alarm.await();
        }
      }
      giveBackStrays();
    } finally {
      closeLink();
    }
  }

  private void round() {
    long now = instruments.nanos();
    // No lease granted from now on is due before this.
    alarm.reset(now + options.renewal().toNanos());
    boolean answers = true;
    noTokens = null;
    for (OpenLease holding : holdings.held()) {
      if (holding.due().get() - now <= 0) {
        answers = answers ? renew(holding) : doubt(holding);
      }
      alarm.at(holding.due().get());
    }
    if (answers) {
      answers = giveBackStrays();
    }
    if (holdings.strays() > 0) {
      alarm.at(instruments.nanos() + options.retry().toNanos());
    }
  }

  private boolean doubt(OpenLease holding) {
    holding.lease().doubt();
    holding.due().set(instruments.nanos() + options.retry().toNanos());
    return false;
  }

  /** Renews a lease; returns whether the server answered. */
  private boolean renew(OpenLease holding) {
    if (holding.lease().look().state().isFinal()) {
      return true; // The lease expired before a renewal; LeaseExpiryMonitor handles that.
    }
    long sentAt = instruments.nanos();
    try {
      RedisLink.Renewal renewal = renewal(holding.claim());
      outage.up();
      if (renewal.loss().isPresent()) {
        end(holding, renewal.loss().get());
      } else {
        if (renewal.again()) {
          renewToken(holding, renewal.token());
        }
        confirm(holding, sentAt);
      }
      return true;
    } catch (RedisFailure failed) {
      doubt(holding);
      return stillAnswers(failed);
    }
  }

  /**
   * Renews a key. The request is repeated on a new connection if an idle one is broken, since a
   * renewal is idempotent.
   */
  private RedisLink.Renewal renewal(KeyClaim claim) {
    long expiry = options.expiry().toMillis();
    boolean wasOpen = link != null;
    try {
      return link().renew(claim, expiry, granting.countsInRedis());
    } catch (RedisFailure failed) {
      if (!wasOpen || !failed.brokeOff()) {
        throw failed;
      }
      closeLink();
      return link().renew(claim, expiry, granting.countsInRedis());
    }
  }

  private void end(OpenLease holding, Loss loss) {
    holding.lease().end(loss);
    holdings.remove(holding.claim());
  }

  /**
   * Draws a new token; without one, the lease is lost. A counter that has failed is not called
   * again in the same round, since the round's other renewals wait.
   */
  private void renewToken(OpenLease holding, OptionalLong counted) {
    TrackedLease lease = holding.lease();
    if (noTokens != null) {
      lease.end(withoutToken(noTokens));
      return;
    }
    try {
      OptionalLong token = granting.again(holding.claim(), link(), counted);
      if (token.isPresent() && token.getAsLong() <= lease.token()) {
        lease.end(withoutToken("the next one, " + token.getAsLong() + ", is no greater"));
        return;
      }
      if (token.isPresent()) {
        lease.renewToken(token.getAsLong());
        log.warn(
            LogEvent.LOCK_RETAKEN,
            "lock {}: its key was gone before it expired; {} has taken it again, with token {}, and"
                + " no other process had it in between",
            lease.name(),
            client,
            token.getAsLong());
        return;
      }
      lease.end(new Loss(Loss.Cause.REVOKED, "its key is gone"));
    } catch (LockException noToken) {
      noTokens = noToken.problem();
      lease.end(withoutToken(noToken.problem()));
    } catch (RedisFailure failed) {
      throw failed;
    } catch (RuntimeException bug) { // A faulty counter must not stop other renewals.
      log.error(LogEvent.BUG, "bug: no token for lock {}", lease.name(), bug);
      lease.end(withoutToken(String.valueOf(bug)));
    }
  }

  private static Loss withoutToken(String why) {
    return new Loss(Loss.Cause.REVOKED, "its key was gone, and there is no new token: " + why);
  }

  private void confirm(OpenLease holding, long sentAt) {
    holding.lease().confirm(sentAt, options.validity());
    holding.due().set(sentAt + options.renewal().toNanos());
    if (holding.lease().state() == LeaseState.LOST && holdings.remove(holding.claim())) {
      holdings.giveBack(holding.claim(), instruments.nanos());
    }
  }

  /** Gives back keys without a lease; returns whether the server answered. */
  private boolean giveBackStrays() {
    for (int left = holdings.strays(); left > 0; left--) {
      OpenLeases.OrphanedKey stray = holdings.nextStray();
      if (stray == null) {
        return true;
      }
      long now = instruments.nanos();
      long pause = options.retry().toNanos();
      if (stray.rests(now, pause)) {
        holdings.putBack(stray);
        continue;
      }
      try {
        if (link().release(stray.claim()).isPresent() && !stray.missedForGood(now, pause)) {
          holdings.putBack(stray);
        }
        outage.up();
      } catch (RedisFailure failed) {
        holdings.putBack(stray);
        if (!stillAnswers(failed)) {
          return false;
        }
      }
    }
    return true;
  }

  private boolean stillAnswers(RedisFailure failed) {
    closeLink();
    outage.down(String.valueOf(failed.getMessage()));
    return failed.kind() != LockException.Kind.UNREACHABLE;
  }

  private RedisLink link() {
    RedisLink open = link;
    if (open == null) {
      open = RedisLink.open(settings, client);
      link = open;
    }
    return open;
  }

  private void closeLink() {
    RedisLink open = link;
    link = null;
    if (open != null) {
      open.close();
    }
  }
}
