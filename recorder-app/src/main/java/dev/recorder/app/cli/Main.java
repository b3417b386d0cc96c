package dev.recorder.app.cli;

import dev.recorder.app.daemon.HangUp;

/**
 * Where the program begins. SIGHUP ends a process until it is handled, so that comes first, before
 * the many classes of the command line are loaded.
 */
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    if (firstWord(args).equals("run")) {
      HangUp.register();
    }
    RecorderCommand.main(args);
  }

  /** The first argument that is no option, as {@code lock} in {@code lock run}; empty if none. */
  static String firstWord(String... args) {
    for (String word : args) {
      if (!word.startsWith("-")) {
        return word;
      }
    }
    return "";
  }
}
