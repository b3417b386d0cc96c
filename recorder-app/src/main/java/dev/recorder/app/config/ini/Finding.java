package dev.recorder.app.config.ini;

import java.nio.file.Path;
import java.util.Locale;

/**
 * One thing that is wrong, or doubtful, in a configuration file.
 *
 * @param line counted from 1; 1 too when the file as a whole is meant
 * @param what the fault; never holds a password
 * @param help what to write instead
 */
public record Finding(Path file, int line, FindingSeverity severity, String what, String help) {

  /** An error keeps the configuration from being used, a warning does not. */
  public enum FindingSeverity {
    ERROR,
    WARNING
  }

  public Finding {
    if (line < 1) {
      throw new IllegalArgumentException("lines count from 1, not from " + line);
    }
  }

  /** The form that editors and scripts pick up: {@code file:line: error: what; help: …}. */
  @Override
  public String toString() {
    String kind = severity.name().toLowerCase(Locale.ROOT);
    return file + ":" + line + ": " + kind + ": " + what + "; help: " + help;
  }
}
