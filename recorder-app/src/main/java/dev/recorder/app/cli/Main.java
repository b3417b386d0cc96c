package dev.recorder.app.cli;

import dev.recorder.app.daemon.SighupRequests;

/**
 * The entry point. Registers the handler of SIGHUP before the many classes of the command line are
 * loaded, since SIGHUP ends the process as long as there is no handler.
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
   * Returns the first argument that is not an option, such as {@code lock} in {@code lock run};
   * empty if there is none.
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
