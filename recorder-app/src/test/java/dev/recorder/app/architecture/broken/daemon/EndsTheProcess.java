package dev.recorder.app.architecture.broken.daemon;

import dev.recorder.testing.network.Breaks;

@Breaks("ONLY_THE_MAIN_CLASS_ENDS_THE_PROCESS")
final class EndsTheProcess {
  void end() {
    System.exit(1);
  }
}
