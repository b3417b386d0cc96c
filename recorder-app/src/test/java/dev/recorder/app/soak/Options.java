package dev.recorder.app.soak;

import java.time.Duration;
import java.util.List;

/** What the command line says. */
public record Options(Duration length, long seed) {
  private static final String ARGUMENTS = " [--minutes N] [--seed S]";

  private static final long MINUTES = 5;
  private static final long MOST_MINUTES = 24 * 60;

  /**
   * @param program for the message
   * @param seed taken unless the arguments have one
   * @throws IllegalArgumentException saying what is wrong
   */
  static Options parse(String program, List<String> arguments, long seed) {
    String usage = "; usage: " + program + ARGUMENTS;
    long minutes = MINUTES;
    long chosen = seed;
    for (int i = 0; i < arguments.size(); i += 2) {
      String name = arguments.get(i);
      if (!name.equals("--minutes") && !name.equals("--seed")) {
        throw new IllegalArgumentException("unknown argument " + name + usage);
      }
      long value = number(name, usage, i + 1 < arguments.size() ? arguments.get(i + 1) : "nothing");
      if (name.equals("--seed")) {
        chosen = value;
      } else if (value >= 1 && value <= MOST_MINUTES) {
        minutes = value;
      } else {
        throw new IllegalArgumentException("--minutes takes 1 to " + MOST_MINUTES + usage);
      }
    }
    return new Options(Duration.ofMinutes(minutes), chosen);
  }

  private static long number(String name, String usage, String value) {
    try {
      return Long.parseLong(value);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(name + " takes a whole number, not " + value + usage, e);
    }
  }
}
