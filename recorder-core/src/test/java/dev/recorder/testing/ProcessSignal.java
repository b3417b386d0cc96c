package dev.recorder.testing;

import java.io.IOException;
import java.io.UncheckedIOException;

/** ProcessSignal to other processes. */
public final class ProcessSignal {
  private ProcessSignal() {}

  /** Sends one by its short name, such as STOP. */
  public static void send(String name, long pid) {
    try {
      Process kill = ShownErrors.of(new ProcessBuilder("kill", "-s", name, Long.toString(pid)));
      if (kill.waitFor() != 0) {
        throw new IllegalStateException("SIG" + name + " could not be sent to " + pid);
      }
    } catch (IOException noSuchProgram) {
      throw new UncheckedIOException(noSuchProgram);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(interrupted);
    }
  }
}
