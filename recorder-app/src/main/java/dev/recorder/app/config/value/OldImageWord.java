package dev.recorder.app.config.value;

/** Which old values are logged. */
public enum OldImageWord implements ConfigWord {
  NONE,
  KEY,
  CHANGED,
  ALL
}
