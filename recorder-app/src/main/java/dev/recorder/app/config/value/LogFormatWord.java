package dev.recorder.app.config.value;

/** The format of the log. */
public enum LogFormatWord {
  TEXT,
  JSON
}
