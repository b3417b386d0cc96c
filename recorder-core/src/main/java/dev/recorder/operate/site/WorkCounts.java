package dev.recorder.operate.site;

import java.util.Map;

/**
 * Counts of outstanding work and of shared locks, each up to a bound.
 *
 * @param requests by recorder; recorders whose requests cannot be counted now are missing
 * @param locks that processes share
 */
public record WorkCounts(Map<String, Requests> requests, Locks locks) {
  public WorkCounts {
    requests = Map.copyOf(requests);
  }

  /**
   * A recorder's outstanding requests.
   *
   * @param due new requests that can be processed now
   * @param delayed new requests that are tried again later
   * @param errors failed requests that were not retried
   */
  public record Requests(long due, long delayed, long errors) {}

  /**
   * Locks that processes share, without those of recorders; zero without the tables.
   *
   * @param advisory held advisory locks of lock sessions
   * @param wanted sessions that wait for advisory locks
   * @param mutexes taken mutexes
   * @param timeouts locks whose time-out has not passed
   */
  public record Locks(long advisory, long wanted, long mutexes, long timeouts) {}
}
