package dev.recorder.app.architecture.broken.config;

import dev.recorder.app.architecture.broken.looks.SomeLook;
import dev.recorder.testing.network.Breaks;

@Breaks("EACH_KNOWS_ONLY_WHAT_IS_DRAWN_BELOW_IT")
public interface KnowsWhoReadsIt {
  void know(SomeLook other);
}
