package dev.recorder.app.config;

/** What is told of old rows. */
public enum OldImageWord implements ConfigWord {
  NONE,
  KEY,
  CHANGED,
  ALL
}
