package dev.recorder.app.config.ini;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/**
 * The file as the scanner saw it: sections by name, each key with its line.
 *
 * @param headers what begins on which line, also what is broken or stands there again
 */
public record IniDocument(Map<String, IniSection> sections, NavigableMap<Integer, String> headers) {

  IniDocument() {
    this(new LinkedHashMap<>(), new TreeMap<>());
  }

  /** The same without these sections. */
  public IniDocument without(Set<String> names) {
    Map<String, IniSection> rest = new LinkedHashMap<>(sections);
    rest.keySet().removeAll(names);
    return new IniDocument(rest, headers);
  }

  /** In which section a line stands; empty above the first. */
  public String sectionAt(int line) {
    Map.Entry<Integer, String> header = headers.floorEntry(line);
    return header == null ? "" : header.getValue();
  }

  /** An absent section reads as an empty one at the top of the file, where its faults are shown. */
  public IniSection section(String name) {
    IniSection found = sections.get(name);
    return found == null ? new IniSection(name, name, 1) : found;
  }

  public boolean has(String name) {
    return sections.containsKey(name);
  }
}
