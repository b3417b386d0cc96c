package dev.recorder.app.config;

import dev.recorder.app.config.ini.Finding;
import dev.recorder.app.config.ini.Findings;
import java.io.Serial;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Says that the configuration cannot be used. Has all findings, including warnings, in the order of
 * the lines. The message has one finding per line. Has no stack trace, since the fault is in the
 * file.
 */
public final class ConfigException extends Exception {
  @Serial private static final long serialVersionUID = 1L;

  private final transient List<Finding> findings;

  public ConfigException(List<Finding> findings) {
    super(
        findings.stream().map(Finding::toString).collect(Collectors.joining("\n")),
        null,
        false,
        false);
    this.findings = List.copyOf(findings);
  }

  static void throwIfErrors(Findings found) throws ConfigException {
    if (found.hasErrors()) {
      throw new ConfigException(found.inOrder());
    }
  }

  public List<Finding> findings() {
    return findings;
  }
}
