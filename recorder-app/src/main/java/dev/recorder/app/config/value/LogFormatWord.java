package dev.recorder.app.config.value;

/** How the log is written. */
public enum LogFormatWord implements ConfigWord {
  TEXT,
  JSON
}
