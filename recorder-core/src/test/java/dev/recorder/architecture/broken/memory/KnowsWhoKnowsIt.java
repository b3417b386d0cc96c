package dev.recorder.architecture.broken.memory;

import dev.recorder.architecture.broken.logging.IsKnownByWhomItKnows;
import dev.recorder.testing.network.Breaks;

@Breaks("PACKAGES_HAVE_NO_CYCLES")
public interface KnowsWhoKnowsIt {
  void know(IsKnownByWhomItKnows other);
}
