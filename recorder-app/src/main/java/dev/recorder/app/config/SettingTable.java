package dev.recorder.app.config;

import java.util.ArrayList;
import java.util.List;

/**
 * The keys of one section, each declared as it is added, in the order in which what is in effect is
 * shown. Filled while its class is initialised, and then only read.
 */
final class SettingTable {
  private final String section;
  private final List<Setting<?>> all = new ArrayList<>();
  private final List<Setting<?>> own = new ArrayList<>();

  /**
   * @param section as it is called in the file, or what its name begins with
   */
  SettingTable(String section) {
    this.section = section;
  }

  <T> Setting<T> add(Setting<T> setting) {
    all.add(setting);
    own.add(setting);
    return setting;
  }

  /** Keys of another section that may be set again in this one. */
  void inherit(SettingTable other) {
    all.addAll(other.all);
  }

  String section() {
    return section;
  }

  List<Setting<?>> all() {
    return List.copyOf(all);
  }

  /** Those that are declared here. */
  List<Setting<?>> own() {
    return List.copyOf(own);
  }
}
