package dev.recorder.metrics;

/** The role of a machine for a log recorder. */
public enum Role {
  /** It has the term; whether it may start writes now is another question. */
  ACTIVE,
  /** It could take over at once. */
  STANDBY,
  /**
   * It could not take over: not checked yet, refused, drained, or something it needs is missing.
   */
  UNABLE
}
