package dev.recorder.app.harness.proof;

/**
 * What became of requests, as a {@link RequestOracle} has found it.
 *
 * @param requests committed ones
 * @param units of work that settled them
 * @param lost committed, and not complete or not in the document
 * @param appliedTwice settled more than once
 * @param wrongDocuments not what the requests make of them in the order of their ids
 * @param overlaps units of one entity that were at work at the same time
 * @param faults of all kinds
 * @param longestWaitMillis between a request and its settlement
 */
public record RequestProof(
    long requests,
    long entities,
    long units,
    long lost,
    long appliedTwice,
    long wrongDocuments,
    long overlaps,
    long errors,
    long faults,
    long longestWaitMillis) {

  /** Each request took effect once. */
  public boolean holds() {
    return requests > 0 && lost + appliedTwice + wrongDocuments + overlaps + errors + faults == 0;
  }
}
