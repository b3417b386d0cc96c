package dev.recorder.metrics;

/** The role of a host for a log recorder. */
public enum Role {
  /** The host has the term. It may start writes only while its lease is valid. */
  ACTIVE,
  /** The host could take over at once. */
  STANDBY,
  /**
   * The host could not take over: it is not checked yet, refused or drained, or a prerequisite is
   * missing.
   */
  UNABLE
}
