package dev.recorder.architecture.broken.requests;

import dev.recorder.architecture.broken.lock.SomeLock;
import dev.recorder.testing.network.Breaks;

@Breaks("EACH_KNOWS_ONLY_WHAT_IS_DRAWN_BELOW_IT")
public interface KnowsTheWingBesideIt {
  void know(SomeLock other);
}
