package dev.recorder.app.config.value;

/** The form of a log's table. */
public enum TableFormWord {
  DELTA
}
