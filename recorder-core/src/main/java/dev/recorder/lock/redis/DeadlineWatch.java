package dev.recorder.lock.redis;

import dev.recorder.lock.Instruments;
import dev.recorder.lock.LeaseLife;
import dev.recorder.lock.LeaseState;
import java.time.Duration;

/**
 * Signals leases that have run out, when they do: on a thread of its own, which never talks to the
 * server and so never waits for it.
 */
final class DeadlineWatch implements Runnable {
  private final Holdings holdings;
  private final Alarm alarm;
  private final Duration validity;
  private final Instruments instruments;
  private volatile boolean stopping;

  DeadlineWatch(Holdings holdings, Alarm alarm, Duration validity, Instruments instruments) {
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
    // No lease that is granted from now on can end before this.
    alarm.reset(instruments.nanos() + validity.toNanos());
    if (stopping) {
      // The reset may have taken back the alarm that told so.
      return;
    }
    for (Holding holding : holdings.held()) {
      LeaseLife life = holding.lease().look();
      if (!life.state().isFinal()) {
        alarm.at(life.until());
      } else if (holdings.remove(holding.claim()) && life.state() == LeaseState.LOST) {
        // A renewal that came late may have lengthened a life that nobody needs.
        holdings.giveBack(holding.claim(), instruments.nanos());
      }
    }
  }
}
