package dev.recorder.architecture.broken.postgres;

import dev.recorder.architecture.broken.schema.SomeTable;
import dev.recorder.testing.network.Breaks;

@Breaks("EACH_KNOWS_ONLY_WHAT_IS_DRAWN_BELOW_IT")
public interface KnowsWhatIsDrawnAbove {
  void know(SomeTable other);
}
