package dev.recorder.app.architecture.broken.cli;

import ch.qos.logback.classic.LoggerContext;
import dev.recorder.testing.network.Breaks;

@Breaks("ONLY_ONE_PACKAGE_KNOWS_WHAT_WRITES_THE_LOG")
public interface KnowsWhatWritesTheLog {
  void know(LoggerContext other);
}
