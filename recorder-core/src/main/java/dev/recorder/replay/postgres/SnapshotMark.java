package dev.recorder.replay.postgres;

/**
 * Marks the beginning or end of a snapshot of the table.
 *
 * @param what {@code begin}, {@code end}, or empty for neither
 * @param visible the transactions that the snapshot saw at its beginning
 * @param begun the number of its beginning
 */
record SnapshotMark(String what, String visible, long begun) {}
