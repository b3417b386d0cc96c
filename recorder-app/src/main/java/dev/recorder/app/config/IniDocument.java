package dev.recorder.app.config;

import java.util.LinkedHashMap;
import java.util.Map;

/** The file as the scanner saw it: sections by name, each key with its line. */
record IniDocument(Map<String, IniSection> sections) {

  IniDocument() {
    this(new LinkedHashMap<>());
  }

  /** An absent section reads as an empty one at the top of the file, where its faults are shown. */
  IniSection section(String name) {
    IniSection found = sections.get(name);
    return found == null ? new IniSection(name, name, 1) : found;
  }

  boolean has(String name) {
    return sections.containsKey(name);
  }
}
