package dev.recorder.app.cli;

import dev.recorder.handoff.RecorderName;

/** What pausing needs of a database, and who asks for it. */
final class PausedSite {
  private PausedSite() {}

  /** Refuses what cannot be paused. */
  static void require(CommandResources site, RecorderName recorder) throws CommandFailure {
    if (!site.database().pauses().areThere()) {
      throw new CommandFailure(
          ExitCode.CONFIGURATION,
          "this database has no table of pauses, which came with this version: let an"
              + " administrator run the output of 'recorder schema'");
    }
    if (site.database().recorder(recorder).isEmpty()) {
      throw CommandFailure.tryLater("no machine has run recorder '" + recorder + "' yet");
    }
  }

  /** As the operating system says. */
  static String osUser() {
    return System.getProperty("user.name", "unknown");
  }
}
