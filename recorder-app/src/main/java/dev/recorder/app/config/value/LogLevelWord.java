package dev.recorder.app.config.value;

/** The lowest level that is logged. */
public enum LogLevelWord {
  ERROR,
  WARN,
  INFO,
  DEBUG
}
