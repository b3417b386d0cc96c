package dev.recorder.operate.site;

import java.util.Map;

/**
 * How much there is to do, and who shares what, each counted up to a bound.
 *
 * @param requests by recorder; those of which nothing can be told now are missing
 * @param locks that processes share
 */
public record WorkCounts(Map<String, Requests> requests, Locks locks) {
  public WorkCounts {
    requests = Map.copyOf(requests);
  }

  /**
   * Requests of a recorder that want something.
   *
   * @param due new, and to be worked on now
   * @param delayed new, and to be tried again later
   * @param errors that nobody has retried
   */
  public record Requests(long due, long delayed, long errors) {}

  /**
   * Locks that processes share, beside those of recorders; none where the tables are not there.
   *
   * @param advisory held by sessions for locks
   * @param wanted sessions that wait for one of these
   * @param mutexes that are taken
   * @param timeouts locks with a time-out that has not passed
   */
  public record Locks(long advisory, long wanted, long mutexes, long timeouts) {}
}
