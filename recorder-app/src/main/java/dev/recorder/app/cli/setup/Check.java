package dev.recorder.app.cli.setup;

import dev.recorder.app.cli.command.ExitCode;
import java.util.List;

/**
 * One thing that was looked at.
 *
 * @param detail what was seen; of a failure, the fault and its remedy
 * @param exitCode what the command should exit with for its sake
 */
record Check(String name, String detail, int exitCode) {
  static Check passed(String name, String detail) {
    return new Check(name, detail, ExitCode.OK);
  }

  static Check failed(String name, String detail) {
    return new Check(name, detail, ExitCode.FAULTS);
  }

  static Check misconfigured(String name, String detail) {
    return new Check(name, detail, ExitCode.CONFIGURATION);
  }

  boolean ok() {
    return exitCode == ExitCode.OK;
  }

  /** The exit code of the first that failed: what comes after it often follows from it. */
  static int exitCode(List<Check> checks) {
    return checks.stream()
        .filter(check -> !check.ok())
        .mapToInt(Check::exitCode)
        .findFirst()
        .orElse(ExitCode.OK);
  }
}
