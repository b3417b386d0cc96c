package dev.recorder.app.config;

/** Whether a returning primary takes its recorder back by itself. */
public enum Failback implements ConfigWord {
  AUTO,
  MANUAL
}
