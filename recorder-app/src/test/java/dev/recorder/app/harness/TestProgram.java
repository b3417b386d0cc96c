package dev.recorder.app.harness;

import dev.recorder.testing.AtExit;

/** What the main methods of the demo and of the benchmarks have in common. */
public final class TestProgram {
  private TestProgram() {}

  /** What a program does; true if it has succeeded. */
  @FunctionalInterface
  public interface Body {
    boolean run() throws Exception;
  }

  /** Ends the process: with 0 only after a success. */
  public static void run(String name, Body body) {
    try {
      System.exit(body.run() ? 0 : 1);
    } catch (Throwable failed) {
      // On Ctrl-C everything is being closed under our feet, which is no failure worth telling.
      if (!AtExit.isEnding()) {
        System.err.println("the " + name + " failed: " + failed);
        System.exit(1);
      }
    }
  }
}
