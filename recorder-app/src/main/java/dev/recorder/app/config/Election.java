package dev.recorder.app.config;

/** By what a log's active machine is elected. */
public enum Election implements ConfigWord {
  ADVISORY,
  REDIS
}
