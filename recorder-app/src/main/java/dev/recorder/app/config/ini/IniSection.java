package dev.recorder.app.config.ini;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The entries of a section by key. If a key is there twice, the first one counts. */
public record IniSection(String name, String writtenAs, int line, Map<String, IniEntry> entries) {

  IniSection(String name, String writtenAs, int line) {
    this(name, writtenAs, line, new LinkedHashMap<>());
  }

  public Optional<IniEntry> entry(String key) {
    return Optional.ofNullable(entries.get(key));
  }
}
