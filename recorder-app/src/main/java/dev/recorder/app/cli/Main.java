package dev.recorder.app.cli;

import dev.recorder.app.daemon.HangUp;

/**
 * Where the program begins. SIGHUP ends a process until it is handled, so that comes first, before
 * the many classes of the command line are loaded.
 */
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    if (isDaemon(args)) {
      HangUp.register();
    }
    RecorderCommand.main(args);
  }

  /** Whether the first word that is no option is {@code run}, unlike in {@code lock run}. */
  private static boolean isDaemon(String... args) {
    for (String word : args) {
      if (!word.startsWith("-")) {
        return word.equals("run");
      }
    }
    return false;
  }
}
