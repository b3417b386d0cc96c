package dev.recorder.time;

/**
 * The time of day, for what people and other systems read. It may jump: nothing is decided by it.
 */
@FunctionalInterface
public interface WallClock {
  /** Milliseconds since 1970, UTC. */
  long millis();

  /** The clock of this host. Safe for use by any thread. */
  static WallClock system() {
    return System::currentTimeMillis;
  }
}
