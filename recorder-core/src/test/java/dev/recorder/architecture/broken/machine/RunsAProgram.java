package dev.recorder.architecture.broken.machine;

import dev.recorder.testing.network.Breaks;
import java.io.IOException;

@Breaks("ONLY_HANDLERS_RUN_PROGRAMS")
final class RunsAProgram {
  Process run(Runtime runtime, String[] command) throws IOException {
    return runtime.exec(command);
  }
}
