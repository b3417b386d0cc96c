package dev.recorder.metrics;

/** What a machine is for a recorder of a log. */
public enum Role {
  /** It has the term. Whether it may start writes right now is another matter. */
  ACTIVE,
  /** It could take the recorder over at once. */
  STANDBY,
  /** It could not: not checked yet, refused, or something that it needs is not there. */
  UNABLE
}
