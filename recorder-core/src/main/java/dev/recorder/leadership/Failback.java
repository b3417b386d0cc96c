package dev.recorder.leadership;

/** Whether a recorder goes back to its primary by itself. */
public enum Failback {
  /** Once the primary has been healthy for long enough. */
  AUTO,
  /** Only when an operator asks for it. */
  MANUAL
}
