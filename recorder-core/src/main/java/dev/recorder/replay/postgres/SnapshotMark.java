package dev.recorder.replay.postgres;

/**
 * Where a snapshot of the table begins or ends.
 *
 * @param what {@code begin}, {@code end}, or empty for neither
 * @param visible the transactions that it has seen when it began
 * @param begun the number of its beginning
 */
record SnapshotMark(String what, String visible, long begun) {}
