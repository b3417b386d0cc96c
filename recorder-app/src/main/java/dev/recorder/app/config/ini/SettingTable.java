package dev.recorder.app.config.ini;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The keys of one section, in the order in which the effective configuration shows them. Filled
 * while the section's class is initialised, then read-only.
 */
public final class SettingTable {
  private final String section;
  private final List<Setting<?>> all = new ArrayList<>();
  private final List<Setting<?>> own = new ArrayList<>();
  private final Set<String> otherNames;
  private final Map<String, String> otherKeys = new HashMap<>();

  /**
   * Creates an empty table.
   *
   * @param section the section's name in the file, or the beginning of the name
   * @param otherNames second spellings of the name
   */
  public SettingTable(String section, String... otherNames) {
    this.section = section;
    this.otherNames = Set.of(otherNames);
  }

  public <T> Setting<T> add(Setting<T> setting) {
    all.add(setting);
    own.add(setting);
    return setting;
  }

  /** Lets this section override the keys of another one. */
  public void inherit(SettingTable other) {
    all.addAll(other.all);
  }

  /** Adds a second spelling of a key. */
  public <T> Setting<T> alsoCalled(String other, Setting<T> setting) {
    otherKeys.put(other, setting.key());
    return setting;
  }

  boolean isAlsoCalled(String name) {
    return otherNames.contains(name);
  }

  /** Returns the main spelling of a key. */
  String key(String written) {
    return otherKeys.getOrDefault(written, written);
  }

  public String section() {
    return section;
  }

  public List<Setting<?>> all() {
    return List.copyOf(all);
  }

  /** Returns the keys without inherited ones. */
  public List<Setting<?>> own() {
    return List.copyOf(own);
  }
}
