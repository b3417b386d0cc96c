package dev.recorder.simulation;

import dev.recorder.simulation.time.Chance;
import dev.recorder.simulation.time.VirtualTime;
import java.util.HashMap;
import java.util.Map;

/**
 * PUTs on their way whose senders have lost their terms. Chance alone would seldom bring one in at
 * the worst moment, which is right before the successor's PUT of the same slot.
 */
final class Orphans {
  private static final double OVERTAKES = 0.7;

  private final VirtualTime time;
  private final Chance chance;
  private final Map<String, Orphan> underWay = new HashMap<>();

  private record Orphan(SimulatedProcess sender, Runnable arrival) {}

  Orphans(VirtualTime time, Chance chance) {
    this.time = time;
    this.chance = chance;
  }

  /** Brings a PUT in after {@code delayNanos}, or before somebody else's PUT of the same key. */
  void add(String key, SimulatedProcess sender, long delayNanos, String what, Runnable arrival) {
    Orphan orphan = new Orphan(sender, arrival);
    underWay.put(key, orphan);
    time.after(
        delayNanos,
        what,
        () -> {
          if (underWay.remove(key, orphan)) {
            arrival.run();
          }
        });
  }

  /** Somebody's PUT is about to arrive. */
  void meet(String key, SimulatedProcess sender) {
    Orphan orphan = underWay.get(key);
    if (orphan != null && orphan.sender() != sender && chance.hit(OVERTAKES)) {
      underWay.remove(key);
      time.note("an orphan arrives right before it");
      orphan.arrival().run();
    }
  }
}
