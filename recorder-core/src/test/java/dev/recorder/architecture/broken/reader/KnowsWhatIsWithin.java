package dev.recorder.architecture.broken.reader;

import dev.recorder.architecture.broken.reader.within.KnowsWhatIsAround;
import dev.recorder.testing.network.Breaks;

@Breaks("PACKAGES_OF_A_WING_HAVE_NO_CYCLES")
public interface KnowsWhatIsWithin {
  void know(KnowsWhatIsAround other);
}
