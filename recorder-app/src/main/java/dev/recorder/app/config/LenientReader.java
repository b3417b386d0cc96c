package dev.recorder.app.config;

import dev.recorder.app.config.ini.Finding;
import dev.recorder.app.config.ini.Finding.FindingSeverity;
import dev.recorder.app.config.ini.Findings;
import dev.recorder.app.config.ini.IniDocument;
import dev.recorder.app.config.ini.IniScanner;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Reads a file without the sections that have faults. Leaves out faulty sections, then sections
 * with faults because of that, until no fault is left. Fails if a needed section has a fault.
 */
final class LenientReader {
  private final Path file;
  private final RequiredSections needed;

  LenientReader(Path file, RequiredSections needed) {
    this.file = file;
    this.needed = needed;
  }

  @FunctionalInterface
  interface FileMaker<T> {
    T of(ConfigReader reader) throws ConfigException;
  }

  <T> PartialConfig<T> read(String text, FileMaker<T> making) throws ConfigException {
    Findings findings = new Findings(file);
    IniDocument document = IniScanner.scan(text, ConfigReader.TABLES, findings);
    try {
      return new PartialConfig<>(making.of(new ConfigReader(file, document, findings)), List.of());
    } catch (ConfigException faulty) {
      return new PartialConfig<>(without(document, faulty, making), errors(faulty));
    }
  }

  private <T> T without(IniDocument document, ConfigException faulty, FileMaker<T> making)
      throws ConfigException {
    IniDocument rest = document;
    ConfigException last = faulty;
    while (true) {
      Set<String> sections =
          errors(last).stream()
              .map(error -> document.sectionAt(error.line()))
              .collect(Collectors.toSet());
      IniDocument less = rest.without(sections);
      if (sections.stream().anyMatch(needed::include) || less.equals(rest)) {
        throw faulty;
      }
      rest = less;
      try {
        return making.of(ConfigReader.ofPart(file, rest, new Findings(file)));
      } catch (ConfigException more) {
        last = more;
      }
    }
  }

  private static List<Finding> errors(ConfigException faulty) {
    return faulty.findings().stream()
        .filter(finding -> finding.severity() == FindingSeverity.ERROR)
        .toList();
  }
}
