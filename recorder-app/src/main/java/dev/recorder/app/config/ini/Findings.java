package dev.recorder.app.config.ini;

import dev.recorder.app.config.ini.Finding.FindingSeverity;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Collects findings, so that operators see all of them at once. Equal findings are kept once, since
 * a fault in {@code [s3]} is found again for each recorder. Not thread-safe.
 */
public final class Findings {
  private static final int MOST = 100;

  private final Path file;
  private final Set<Finding> all = new LinkedHashSet<>();

  public Findings(Path file) {
    this.file = file;
  }

  public void error(int line, String what, String help) {
    all.add(new Finding(file, line, FindingSeverity.ERROR, what, help));
  }

  public void warning(int line, String what, String help) {
    all.add(new Finding(file, line, FindingSeverity.WARNING, what, help));
  }

  /** Returns the findings sorted by line, and on one line in the order of discovery. */
  public List<Finding> inOrder() {
    List<Finding> inOrder = all.stream().sorted(Comparator.comparingInt(Finding::line)).toList();
    List<Finding> errors = inOrder.stream().filter(Findings::isError).toList();
    return errors.size() > MOST ? cut(errors) : inOrder;
  }

  /** Keeps the first errors only: with so many errors, the file is probably no configuration. */
  private List<Finding> cut(List<Finding> errors) {
    List<Finding> first = new ArrayList<>(errors.subList(0, MOST));
    first.add(
        new Finding(
            file,
            errors.get(MOST).line(),
            FindingSeverity.ERROR,
            "from here on %d more".formatted(errors.size() - MOST),
            "correct those above first"));
    return List.copyOf(first);
  }

  private static boolean isError(Finding finding) {
    return finding.severity() == FindingSeverity.ERROR;
  }

  public boolean hasErrors() {
    return all.stream().anyMatch(Findings::isError);
  }
}
