package dev.recorder.simulation;

import dev.recorder.simulation.servers.LeafLocks;
import dev.recorder.simulation.time.Chance;
import dev.recorder.simulation.time.VirtualTime;
import java.util.ArrayList;
import java.util.List;

/**
 * Applications that have an id and have yet to insert its row. Chance alone would seldom bring one
 * in at the worst moment, which is while its leaf is being emptied.
 */
final class Latecomers {
  private static final double MEETS = 0.4;

  private final VirtualTime time;
  private final Chance chance;
  private final List<Latecomer> underWay = new ArrayList<>();

  private record Latecomer(LeafLocks.Leaf leaf, Runnable insert) {}

  Latecomers(VirtualTime time, Chance chance) {
    this.time = time;
    this.chance = chance;
  }

  /** Has a row inserted after {@code delayNanos}, or when its leaf is being emptied. */
  void add(LeafLocks.Leaf leaf, long delayNanos, Runnable insert) {
    Latecomer latecomer = new Latecomer(leaf, insert);
    underWay.add(latecomer);
    time.after(
        delayNanos,
        "application inserts late",
        () -> {
          if (underWay.remove(latecomer)) {
            insert.run();
          }
        });
  }

  /** Something is done to a leaf. */
  void meet(LeafLocks.Leaf leaf) {
    List<Latecomer> here = underWay.stream().filter(each -> each.leaf().equals(leaf)).toList();
    if (!here.isEmpty() && chance.hit(MEETS)) {
      Latecomer latecomer = chance.pick(here);
      underWay.remove(latecomer);
      time.after(chance.between(0, 2_000_000), "a latecomer meets a clearing", latecomer.insert());
    }
  }
}
