package dev.recorder.architecture.broken.slotlog;

import dev.recorder.architecture.broken.audit.SomeProof;
import dev.recorder.testing.network.Breaks;

@Breaks("EACH_KNOWS_ONLY_WHAT_IS_DRAWN_BELOW_IT")
public interface KnowsWhoLooksAtIt {
  void know(SomeProof other);
}
