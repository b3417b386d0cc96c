package dev.recorder.simulation.servers;

/** What has become of an insert. */
public enum Insertion {
  DONE,
  /** The row's leaf is locked: the transaction waits, and asks again. */
  WAITS,
  /** The transaction's session is gone. */
  GONE
}
