package dev.recorder.lock.redis;

import dev.recorder.lock.Instruments;
import dev.recorder.lock.LeaseState;
import dev.recorder.lock.LockException;
import dev.recorder.lock.Loss;
import dev.recorder.logging.Outage;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Renews leases and gives back what is not needed, over a connection and on a thread of its own:
 * waiters cannot starve it.
 *
 * <p>When the server does not answer, no further call of the same round waits for it: all leases
 * that are due are in doubt, and the next round begins after {@link RedisLockOptions#retry()}.
 */
final class Keeper implements Runnable {
  private final RedisSettings settings;
  private final String client;
  private final RedisLockOptions options;
  private final Holdings holdings;
  private final Alarm alarm;
  private final Instruments instruments;
  private final Outage outage;
  private @Nullable RedisLink link;
  private volatile boolean stopping;

  Keeper(Site site, Holdings holdings, Alarm alarm, Outage outage) {
    this.settings = site.settings();
    this.client = site.worker();
    this.options = site.options();
    this.instruments = site.instruments();
    this.holdings = holdings;
    this.alarm = alarm;
    this.outage = outage;
  }

  /** Lets it end once it has tried to give back all there is to give back. */
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
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
    } finally {
      closeLink();
    }
  }

  private void round() {
    long now = instruments.nanos();
    // No lease that is granted from now on is due before this.
    alarm.reset(now + options.renewal().toNanos());
    boolean answers = true;
    for (Holding holding : holdings.held()) {
      if (holding.due() - now <= 0) {
        answers = answers ? renew(holding) : doubt(holding);
      }
      alarm.at(holding.due());
    }
    if (answers) {
      answers = giveBackStrays();
    }
    if (holdings.strays() > 0) {
      alarm.at(instruments.nanos() + options.retry().toNanos());
    }
  }

  private boolean doubt(Holding holding) {
    holding.lease().doubt();
    holding.renewAt(instruments.nanos() + options.retry().toNanos());
    return false;
  }

  /** Returns whether somebody answered. */
  private boolean renew(Holding holding) {
    long sentAt = instruments.nanos();
    try {
      Optional<Loss> loss = link().renew(holding.claim(), options.expiry().toMillis());
      outage.up();
      if (loss.isPresent()) {
        holding.lease().end(loss.get());
        holdings.remove(holding);
      } else {
        confirm(holding, sentAt);
      }
      return true;
    } catch (RedisFailure failed) {
      doubt(holding);
      return stillAnswers(failed);
    }
  }

  private void confirm(Holding holding, long sentAt) {
    holding.lease().confirm(sentAt, options.validity());
    holding.renewAt(sentAt + options.renewal().toNanos());
    if (holding.lease().state() == LeaseState.LOST && holdings.remove(holding)) {
      holdings.giveBack(holding.claim(), instruments.nanos());
    }
  }

  /** Returns whether somebody answered. */
  private boolean giveBackStrays() {
    for (int left = holdings.strays(); left > 0; left--) {
      Holdings.Stray stray = holdings.nextStray();
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
