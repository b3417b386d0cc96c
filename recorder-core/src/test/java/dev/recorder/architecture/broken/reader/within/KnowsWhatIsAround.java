package dev.recorder.architecture.broken.reader.within;

import dev.recorder.architecture.broken.reader.KnowsWhatIsWithin;
import dev.recorder.testing.network.Breaks;

@Breaks("PACKAGES_OF_A_WING_HAVE_NO_CYCLES")
public interface KnowsWhatIsAround {
  void know(KnowsWhatIsWithin other);
}
