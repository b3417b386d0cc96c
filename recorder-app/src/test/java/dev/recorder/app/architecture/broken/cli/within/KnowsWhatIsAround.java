package dev.recorder.app.architecture.broken.cli.within;

import dev.recorder.app.architecture.broken.cli.KnowsWhatIsWithin;
import dev.recorder.testing.network.Breaks;

@Breaks("PACKAGES_HAVE_NO_CYCLES")
public interface KnowsWhatIsAround {
  void know(KnowsWhatIsWithin other);
}
