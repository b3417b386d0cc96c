package dev.recorder.time;

/** The time of day, for people and other systems. It may jump: nothing may be decided by it. */
@FunctionalInterface
public interface WallClock {
  /** Milliseconds since 1970, UTC. */
  long millis();

  /** The clock of this host. Thread-safe. */
  static WallClock system() {
    return System::currentTimeMillis;
  }
}
