package dev.recorder.testing;

import java.io.IOException;
import java.io.InputStream;

/**
 * Standard error of a process, shown on this one's. It is not handed out: whoever waits for the end
 * of this JVM's output, as a build does, would wait for every process that still has it.
 */
public final class ShownErrors {
  private ShownErrors() {}

  /** Starts a process, whose standard error is shown until its end. */
  public static Process of(ProcessBuilder builder) throws IOException {
    Process process = builder.redirectError(ProcessBuilder.Redirect.PIPE).start();
    Thread shows = new Thread(() -> show(process.getErrorStream()), "errors-of-" + process.pid());
    shows.setDaemon(true);
    shows.start();
    return process;
  }

  private static void show(InputStream errors) {
    try (errors) {
      errors.transferTo(System.err);
    } catch (IOException ended) {
      // There is nothing more to show.
    }
  }
}
