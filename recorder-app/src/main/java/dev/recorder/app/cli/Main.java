package dev.recorder.app.cli;

import dev.recorder.app.daemon.SighupRequests;

/**
 * The entry point. An unhandled SIGHUP ends the process, so its handler is registered before the
 * many classes of the command line are loaded.
 */
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    if (firstWord(args).equals("run")) {
      SighupRequests.register();
    }
    RecorderCommand.main(args);
  }

  /**
   * The first argument that is not an option, such as {@code lock} in {@code lock run}; else empty.
   */
  static String firstWord(String... args) {
    for (String word : args) {
      if (!word.startsWith("-")) {
        return word;
      }
    }
    return "";
  }
}
