package dev.recorder.app.config.value;

/** The lowest level of messages that are logged. */
public enum LogLevelWord {
  ERROR,
  WARN,
  INFO,
  DEBUG
}
