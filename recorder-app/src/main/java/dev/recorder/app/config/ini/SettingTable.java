package dev.recorder.app.config.ini;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The keys of one section, each declared as it is added, in the order in which what is in effect is
 * shown. Filled while its class is initialised, and then only read.
 */
public final class SettingTable {
  private final String section;
  private final List<Setting<?>> all = new ArrayList<>();
  private final List<Setting<?>> own = new ArrayList<>();
  private final Set<String> otherNames;
  private final Map<String, String> otherKeys = new HashMap<>();

  /**
   * The keys of a section.
   *
   * @param section as it is called in the file, or what its name begins with
   * @param otherNames that it may have instead
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

  /** Keys of another section that may be set again in this one. */
  public void inherit(SettingTable other) {
    all.addAll(other.all);
  }

  /** Another name of a key. */
  public <T> Setting<T> alsoCalled(String other, Setting<T> setting) {
    otherKeys.put(other, setting.key());
    return setting;
  }

  boolean isAlsoCalled(String name) {
    return otherNames.contains(name);
  }

  /** The key that is meant by what is written. */
  String key(String written) {
    return otherKeys.getOrDefault(written, written);
  }

  public String section() {
    return section;
  }

  public List<Setting<?>> all() {
    return List.copyOf(all);
  }

  /** Those that are declared here. */
  public List<Setting<?>> own() {
    return List.copyOf(own);
  }
}
