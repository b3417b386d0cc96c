package dev.recorder.app.config.value;

/** Whether a returning primary takes its recorder back by itself. */
public enum FailbackWord implements ConfigWord {
  AUTO,
  MANUAL
}
