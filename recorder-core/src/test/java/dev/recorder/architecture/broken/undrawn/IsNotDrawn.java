package dev.recorder.architecture.broken.undrawn;

import dev.recorder.architecture.broken.store.SomeStore;
import dev.recorder.testing.network.Breaks;

@Breaks("EACH_KNOWS_ONLY_WHAT_IS_DRAWN_BELOW_IT")
public interface IsNotDrawn {
  void know(SomeStore other);
}
