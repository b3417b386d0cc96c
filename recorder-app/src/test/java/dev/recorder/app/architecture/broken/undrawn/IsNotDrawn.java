package dev.recorder.app.architecture.broken.undrawn;

import dev.recorder.app.architecture.broken.looks.SomeLook;
import dev.recorder.testing.network.Breaks;

@Breaks("EACH_KNOWS_ONLY_WHAT_IS_DRAWN_BELOW_IT")
public interface IsNotDrawn {
  void know(SomeLook other);
}
