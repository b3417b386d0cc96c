package dev.recorder.app.soak;

import dev.recorder.testing.AtExit;
import java.util.List;

/** Soak and storm as programs. */
public final class Launcher {
  private Launcher() {}

  /** Makes a run that is yet to begin. */
  @FunctionalInterface
  public interface Maker {
    FaultyRun make(Options options, Journal journal);
  }

  /** Ends the process: with 0 only on proof; 2 is wrong usage. */
  public static void run(String name, String[] arguments, Maker maker) {
    Options options;
    try {
      options = Options.parse(name, List.of(arguments), System.currentTimeMillis());
    } catch (IllegalArgumentException wrong) {
      System.err.println(wrong.getMessage());
      System.exit(2);
      return;
    }
    Journal journal = new Journal(name, options.seed());
    try {
      Report result = maker.make(options, journal).run();
      journal.end(result.ok());
      System.out.println(result.json());
      System.exit(result.ok() ? 0 : 1);
    } catch (Throwable failed) {
      // On Ctrl-C everything is being closed under our feet, which is no failure worth telling.
      if (!AtExit.isEnding()) {
        String cause = failed.getCause() == null ? "" : ": " + failed.getCause();
        journal.say("the %s with seed %d failed: %s%s", name, options.seed(), failed, cause);
        journal.end(false);
        System.exit(1);
      }
    }
  }
}
