package dev.recorder.architecture.broken.lock;

import dev.recorder.testing.network.Breaks;
import java.time.Clock;

@Breaks("LOCKS_KNOW_NO_WALL_CLOCK")
final class AsksAGivenClock {
  long read(Clock clock) {
    return clock.millis();
  }
}
