package dev.recorder.app.config.ini;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The lines below one header, by key. A key that comes twice counts the first time. */
public record IniSection(String name, String writtenAs, int line, Map<String, IniEntry> entries) {

  IniSection(String name, String writtenAs, int line) {
    this(name, writtenAs, line, new LinkedHashMap<>());
  }

  public Optional<IniEntry> entry(String key) {
    return Optional.ofNullable(entries.get(key));
  }
}
