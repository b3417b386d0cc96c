package dev.recorder.app.config;

import dev.recorder.app.config.Finding.Severity;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Collects findings so that an operator sees all of them at once. A set, because a fault in {@code
 * [s3]} is met once per recorder that inherits it. Not thread-safe.
 */
final class Findings {
  private final Path file;
  private final Set<Finding> all = new LinkedHashSet<>();

  Findings(Path file) {
    this.file = file;
  }

  void error(int line, String what, String help) {
    all.add(new Finding(file, line, Severity.ERROR, what, help));
  }

  void warning(int line, String what, String help) {
    all.add(new Finding(file, line, Severity.WARNING, what, help));
  }

  /** In the order of the lines; on one line in the order they were found. */
  List<Finding> inOrder() {
    return all.stream().sorted(Comparator.comparingInt(Finding::line)).toList();
  }

  void throwIfErrors() throws ConfigException {
    if (all.stream().anyMatch(finding -> finding.severity() == Severity.ERROR)) {
      throw new ConfigException(inOrder());
    }
  }
}
