package dev.recorder.machine.settings;

/** By what it is decided which machine may be active for a recorder. Either way terms fence. */
public enum ElectionKind {
  /** Heartbeats and an advisory lock in the database. */
  ADVISORY,
  /** An expiring key outside of it: its holder alone may take the recorder. */
  REDIS
}
