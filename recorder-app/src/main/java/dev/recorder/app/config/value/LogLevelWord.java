package dev.recorder.app.config.value;

/** From which level on lines are in the log. */
public enum LogLevelWord implements ConfigWord {
  ERROR,
  WARN,
  INFO,
  DEBUG
}
