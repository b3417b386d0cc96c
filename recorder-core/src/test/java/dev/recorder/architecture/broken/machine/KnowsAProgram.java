package dev.recorder.architecture.broken.machine;

import dev.recorder.testing.network.Breaks;

@Breaks("ONLY_HANDLERS_RUN_PROGRAMS")
public interface KnowsAProgram {
  void know(ProcessBuilder other);
}
