package dev.recorder.app.config;

/** How the log is written. */
public enum LogFormatWord implements ConfigWord {
  TEXT,
  JSON
}
