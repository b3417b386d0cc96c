package dev.recorder.architecture.broken.machine;

import dev.recorder.testing.network.Breaks;

@Breaks("A_LIBRARY_NEVER_ENDS_THE_PROCESS")
final class EndsTheProcess {
  void end() {
    System.exit(1);
  }
}
