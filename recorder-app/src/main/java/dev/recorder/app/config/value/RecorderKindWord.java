package dev.recorder.app.config.value;

/** What a recorder does: write rows in order, or work on requests per entity. */
public enum RecorderKindWord implements ConfigWord {
  LOG,
  REQUESTS
}
