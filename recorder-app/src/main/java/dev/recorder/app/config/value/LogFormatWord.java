package dev.recorder.app.config.value;

/** The format of log lines. */
public enum LogFormatWord {
  TEXT,
  JSON
}
