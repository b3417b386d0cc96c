package dev.recorder.app.config;

/** Which old values are logged. */
public enum OldImageWord implements ConfigWord {
  NONE,
  KEY,
  CHANGED,
  ALL
}
