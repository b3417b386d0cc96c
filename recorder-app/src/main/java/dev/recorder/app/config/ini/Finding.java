package dev.recorder.app.config.ini;

import java.nio.file.Path;
import java.util.Locale;

/**
 * An error or a warning about a configuration file.
 *
 * @param line counted from 1; 1 for the file as a whole
 * @param what the fault; never holds a password
 * @param help what to write instead
 */
public record Finding(Path file, int line, FindingSeverity severity, String what, String help) {

  /** The severity. A configuration with an error cannot be used. */
  public enum FindingSeverity {
    ERROR,
    WARNING
  }

  public Finding {
    if (line < 1) {
      throw new IllegalArgumentException("lines count from 1, not from " + line);
    }
  }

  /** Returns a line that editors and scripts recognise: {@code file:line: error: what; help: …}. */
  @Override
  public String toString() {
    String kind = severity.name().toLowerCase(Locale.ROOT);
    return file + ":" + line + ": " + kind + ": " + what + "; help: " + help;
  }
}
