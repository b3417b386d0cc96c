package dev.recorder.lock.redis;

import dev.recorder.lock.Instruments;
import dev.recorder.lock.LeaseLife;
import dev.recorder.lock.LeaseState;
import java.time.Duration;

/** Signals leases when they run out, on a thread that never waits for the server. */
final class LeaseExpiryMonitor implements Runnable {
  private final OpenLeases holdings;
  private final WakeUp alarm;
  private final Duration validity;
  private final Instruments instruments;
  private volatile boolean stopping;

  LeaseExpiryMonitor(
      OpenLeases holdings, WakeUp alarm, Duration validity, Instruments instruments) {
    this.holdings = holdings;
    this.alarm = alarm;
    this.validity = validity;
    this.instruments = instruments;
  }

  void stop() {
    stopping = true;
    alarm.at(instruments.nanos());
  }

  @Override
  public void run() {
    while (!stopping) {
      look();
      alarm.await();
    }
  }

  private void look() {
    // No lease granted from now on can end before this.
    alarm.reset(instruments.nanos() + validity.toNanos());
    if (stopping) {
      // The reset may have dropped the alarm of stop().
      return;
    }
    for (OpenLease holding : holdings.held()) {
      LeaseLife life = holding.lease().look();
      if (!life.state().isFinal()) {
        alarm.at(life.until());
      } else if (holdings.remove(holding.claim()) && life.state() == LeaseState.LOST) {
        // A late renewal may have prolonged the key.
        holdings.giveBack(holding.claim(), instruments.nanos());
      }
    }
  }
}
