package dev.recorder.app.config.ini;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/**
 * The scanned file: sections by name, each key with its line.
 *
 * @param headers the section that begins on each line, including broken and repeated headers
 */
public record IniDocument(Map<String, IniSection> sections, NavigableMap<Integer, String> headers) {

  IniDocument() {
    this(new LinkedHashMap<>(), new TreeMap<>());
  }

  public IniDocument without(Set<String> names) {
    Map<String, IniSection> rest = new LinkedHashMap<>(sections);
    rest.keySet().removeAll(names);
    return new IniDocument(rest, headers);
  }

  /** Returns the name of the section that a line belongs to; empty above the first header. */
  public String sectionAt(int line) {
    Map.Entry<Integer, String> header = headers.floorEntry(line);
    return header == null ? "" : header.getValue();
  }

  /**
   * Returns the section. An absent section is empty and on line 1, where its faults are reported.
   */
  public IniSection section(String name) {
    IniSection found = sections.get(name);
    return found == null ? new IniSection(name, name, 1) : found;
  }

  public boolean has(String name) {
    return sections.containsKey(name);
  }
}
