package dev.recorder.laws;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What TLC found.
 *
 * @param outcome {@code no error}, or the promise that does not hold, or how TLC failed
 * @param states distinct states that were seen
 * @param said all that TLC printed: of a violation, the way there
 */
record Verdict(String outcome, long states, String said) {
  static final String NO_ERROR = "no error";

  private static final Pattern VIOLATED =
      Pattern.compile("Error: (?:Invariant|Action property) (\\w+) is violated");
  private static final Pattern STATES = Pattern.compile("([0-9]+) distinct states found, ");

  /** TLC's exit codes: 0, or 12 for an invariant and 13 for a property that is violated. */
  static Verdict of(int exitCode, String said) {
    Matcher violated = VIOLATED.matcher(said);
    String outcome;
    if (exitCode == 0 && said.contains("No error has been found.")) {
      outcome = NO_ERROR;
    } else if ((exitCode == 12 || exitCode == 13) && violated.find()) {
      outcome = violated.group(1);
    } else {
      outcome = "TLC failed with exit code " + exitCode;
    }
    return new Verdict(outcome, states(said), said);
  }

  /** The last figure: the ones before it are of its progress. */
  private static long states(String said) {
    return STATES
        .matcher(said)
        .results()
        .mapToLong(found -> Long.parseLong(found.group(1)))
        .reduce((earlier, later) -> later)
        .orElse(0);
  }
}
