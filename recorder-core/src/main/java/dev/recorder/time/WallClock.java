package dev.recorder.time;

/** The time of day, for people and other systems. It may jump, so no decision may depend on it. */
@FunctionalInterface
public interface WallClock {
  /** Returns milliseconds since 1970, UTC. */
  long millis();

  /** Returns the clock of this host. Thread-safe. */
  static WallClock system() {
    return System::currentTimeMillis;
  }
}
