package dev.recorder.app.architecture.broken.daemon;

import dev.recorder.app.architecture.broken.cli.SomeCommand;
import dev.recorder.testing.network.Breaks;

@Breaks("EACH_KNOWS_ONLY_WHAT_IS_DRAWN_BELOW_IT")
public interface KnowsACommand {
  void know(SomeCommand other);
}
