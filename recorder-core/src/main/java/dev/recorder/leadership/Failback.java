package dev.recorder.leadership;

/** Whether a recorder returns to its primary without an operator. */
public enum Failback {
  /** It returns once the primary has been healthy for long enough. */
  AUTO,
  /** It returns only by an operator's order. */
  MANUAL
}
