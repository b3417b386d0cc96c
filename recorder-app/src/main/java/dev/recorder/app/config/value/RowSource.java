package dev.recorder.app.config.value;

/** Where the rows of a log come from: a hand-off table, or a timer for trials. */
public enum RowSource {
  HANDOFF,
  TIMER
}
