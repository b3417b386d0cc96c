package dev.recorder.app.soak;

import dev.recorder.testing.AtExit;
import java.util.List;

/**
 * Draws faults at random over three instances under load and proves at the end that every committed
 * row was recorded once. Arguments: {@code --minutes N --seed S}.
 */
public final class Soak {
  private Soak() {}

  /** Ends with 0 only on proof; 2 is wrong usage. */
  public static void main(String[] arguments) {
    Options options;
    try {
      options = Options.parse("soak", List.of(arguments), System.currentTimeMillis());
    } catch (IllegalArgumentException wrong) {
      System.err.println(wrong.getMessage());
      System.exit(2);
      return;
    }
    Journal journal = new Journal("soak", options.seed());
    try {
      Report report = new SoakRun(options, journal).run();
      journal.end(report.ok());
      System.out.println(report.json());
      System.exit(report.ok() ? 0 : 1);
    } catch (Throwable failed) {
      // On Ctrl-C everything is being closed under our feet, which is no failure worth telling.
      if (!AtExit.isEnding()) {
        journal.say("the soak with seed %d failed: %s", options.seed(), failed);
        journal.end(false);
        System.exit(1);
      }
    }
  }
}
