package dev.recorder.app.cli;

import dev.recorder.app.cli.RecorderOption.Chosen;
import dev.recorder.operate.Pauses;

/** What pausing needs of a database. */
record PausedSite(CommandResources site, Pauses pauses) implements AutoCloseable {
  /** Connects; refuses what cannot be paused. */
  static PausedSite open(Chosen chosen) throws CommandFailure {
    CommandResources site = chosen.openAfterRun();
    Pauses pauses = site.database().pauses();
    if (!pauses.areThere()) {
      site.close();
      throw new CommandFailure(
          ExitCode.CONFIGURATION,
          "this database has no table of pauses, which came with this version: let an"
              + " administrator run the output of 'recorder schema'");
    }
    return new PausedSite(site, pauses);
  }

  @Override
  public void close() {
    site.close();
  }
}
