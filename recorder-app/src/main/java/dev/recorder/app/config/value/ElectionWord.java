package dev.recorder.app.config.value;

/** By what a log's active machine is elected. */
public enum ElectionWord implements ConfigWord {
  ADVISORY,
  REDIS
}
