package dev.recorder.architecture.broken.logging;

import dev.recorder.architecture.broken.memory.KnowsWhoKnowsIt;
import dev.recorder.testing.network.Breaks;

@Breaks("PACKAGES_HAVE_NO_CYCLES")
public interface IsKnownByWhomItKnows {
  void know(KnowsWhoKnowsIt other);
}
