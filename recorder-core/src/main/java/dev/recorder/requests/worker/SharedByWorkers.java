package dev.recorder.requests.worker;

import dev.recorder.metrics.RequestMetrics;
import dev.recorder.time.Ticker;

/**
 * What the workers of one recorder share.
 *
 * @param orphaned attempts to disown
 * @param prefetchQueue creates found for each other
 */
record SharedByWorkers(
    BackEnds.Together together,
    BackEndSettings settings,
    Handling handling,
    ClaimControl claimControl,
    OrphanedAttempts orphaned,
    PrefetchQueue prefetchQueue,
    Reports reports) {
  SharedByWorkers(
      BackEnds.Together together,
      BackEndSettings settings,
      Handling handling,
      RequestMetrics metrics,
      Ticker ticker) {
    this(
        together,
        settings,
        handling,
        new ClaimControl(ticker),
        new OrphanedAttempts(ticker),
        new PrefetchQueue(ticker),
        new Reports(metrics, ticker));
  }
}
