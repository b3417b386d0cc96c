package dev.recorder.machine.settings;

/** How a recorder's active host is elected. Terms fence in both cases. */
public enum ElectionKind {
  /** By heartbeats and an advisory lock in the database. */
  ADVISORY,
  /** By an expiring key outside the database: only the key's holder may take the recorder. */
  REDIS
}
