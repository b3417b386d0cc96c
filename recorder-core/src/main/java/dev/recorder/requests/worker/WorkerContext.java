package dev.recorder.requests.worker;

import dev.recorder.metrics.RequestMetrics;
import dev.recorder.time.Ticker;

/**
 * The objects that the workers of one recorder share.
 *
 * @param orphaned attempts to disown
 * @param prefetchQueue creates that one worker found for all
 */
record WorkerContext(
    BackEnds.SharedWorkerServices together,
    BackEndSettings settings,
    UnitProcessor handling,
    ClaimGate claimControl,
    OrphanedAttempts orphaned,
    PrefetchQueue prefetchQueue,
    UnitReports reports) {
  WorkerContext(
      BackEnds.SharedWorkerServices together,
      BackEndSettings settings,
      UnitProcessor handling,
      RequestMetrics metrics,
      Ticker ticker) {
    this(
        together,
        settings,
        handling,
        new ClaimGate(ticker),
        new OrphanedAttempts(ticker),
        new PrefetchQueue(ticker),
        new UnitReports(metrics, ticker));
  }
}
