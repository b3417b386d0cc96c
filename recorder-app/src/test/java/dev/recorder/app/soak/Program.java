package dev.recorder.app.soak;

import dev.recorder.app.harness.Host;
import dev.recorder.testing.AtExit;
import java.time.Duration;
import java.util.List;

/** What soak and storm have in common: their beginning and their end. */
final class Program {
  private static final Duration STOP_WITHIN = Duration.ofSeconds(60);

  private Program() {}

  /** What a run came to. */
  interface Result {
    boolean ok();

    /** One line. */
    String json();
  }

  /** A run from the start of the servers to its result. */
  @FunctionalInterface
  interface Run {
    Result run(Options options, Journal journal) throws Exception;
  }

  /** Ends the process: with 0 only on proof; 2 is wrong usage. */
  static void run(String name, String[] arguments, Run run) {
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
      Result result = run.run(options, journal);
      journal.end(result.ok());
      System.out.println(result.json());
      System.exit(result.ok() ? 0 : 1);
    } catch (Throwable failed) {
      // On Ctrl-C everything is being closed under our feet, which is no failure worth telling.
      if (!AtExit.isEnding()) {
        journal.say("the %s with seed %d failed: %s", name, options.seed(), failed);
        journal.end(false);
        System.exit(1);
      }
    }
  }

  /** Stops hosts in good order; one that does not end so is blamed. */
  static void stop(List<Host> hosts, Journal journal) {
    hosts.stream().filter(Host::isRunning).forEach(Host::terminate);
    for (Host host : hosts) {
      try {
        int code = host.awaitExit(STOP_WITHIN);
        if (code != 0) {
          journal.blame("%s ended with exit code %d", host.name(), code);
        }
      } catch (AssertionError tooLong) {
        journal.blame("%s", tooLong.getMessage());
      }
    }
  }
}
