package dev.recorder.app.config.value;

/** Where a log recorder's rows come from: a hand-off table, or a timer for trying things out. */
public enum RowSource implements ConfigWord {
  HANDOFF,
  TIMER
}
