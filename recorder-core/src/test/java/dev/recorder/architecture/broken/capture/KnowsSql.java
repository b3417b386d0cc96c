package dev.recorder.architecture.broken.capture;

import dev.recorder.architecture.broken.capture.script.SomeScript;
import dev.recorder.testing.network.Breaks;

@Breaks("WHAT_IS_CAPTURED_KNOWS_NO_SQL")
public interface KnowsSql {
  void know(SomeScript other);
}
