package dev.recorder.app.config;

/** Whether a returning primary takes its recorder back by itself. */
public enum FailbackWord implements ConfigWord {
  AUTO,
  MANUAL
}
