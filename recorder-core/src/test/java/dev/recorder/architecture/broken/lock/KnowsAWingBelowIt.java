package dev.recorder.architecture.broken.lock;

import dev.recorder.architecture.broken.slotlog.SomeSlot;
import dev.recorder.testing.network.Breaks;

@Breaks("EACH_KNOWS_ONLY_WHAT_IS_DRAWN_BELOW_IT")
public interface KnowsAWingBelowIt {
  void know(SomeSlot other);
}
