package dev.recorder.app.cli.setup;

import dev.recorder.app.cli.command.ExitCode;
import java.util.List;

/**
 * The result of one check.
 *
 * @param detail the finding; for a failure, the fault and its remedy
 * @param exitCode the exit code of the command if this is the first failure
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

  /** Returns the exit code of the first failure, since later failures often result from it. */
  static int exitCode(List<Check> checks) {
    return checks.stream()
        .filter(check -> !check.ok())
        .mapToInt(Check::exitCode)
        .findFirst()
        .orElse(ExitCode.OK);
  }
}
