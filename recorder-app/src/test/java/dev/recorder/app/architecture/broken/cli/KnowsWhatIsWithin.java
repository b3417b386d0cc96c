package dev.recorder.app.architecture.broken.cli;

import dev.recorder.app.architecture.broken.cli.within.KnowsWhatIsAround;
import dev.recorder.testing.network.Breaks;

@Breaks("PACKAGES_HAVE_NO_CYCLES")
public interface KnowsWhatIsWithin {
  void know(KnowsWhatIsAround other);
}
