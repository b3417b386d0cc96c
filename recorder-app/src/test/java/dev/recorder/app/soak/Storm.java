package dev.recorder.app.soak;

import dev.recorder.testing.AtExit;
import java.util.List;

/**
 * Draws faults at random over three hosts that process requests, and proves at the end that each
 * request took effect once. Arguments: {@code --minutes N --seed S}.
 */
public final class Storm {
  private Storm() {}

  /** Ends with 0 only on proof; 2 is wrong usage. */
  public static void main(String[] arguments) {
    Options options;
    try {
      options = Options.parse("storm", List.of(arguments), System.currentTimeMillis());
    } catch (IllegalArgumentException wrong) {
      System.err.println(wrong.getMessage());
      System.exit(2);
      return;
    }
    Journal journal = new Journal("storm", options.seed());
    try {
      StormReport report = new StormRun(options, journal).run();
      journal.end(report.ok());
      System.out.println(report.json());
      System.exit(report.ok() ? 0 : 1);
    } catch (Throwable failed) {
      // On Ctrl-C everything is being closed under our feet, which is no failure worth telling.
      if (!AtExit.isEnding()) {
        journal.say("the storm with seed %d failed: %s", options.seed(), failed);
        journal.end(false);
        System.exit(1);
      }
    }
  }
}
