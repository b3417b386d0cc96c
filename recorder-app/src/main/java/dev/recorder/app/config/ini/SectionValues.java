package dev.recorder.app.config.ini;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The checked values of one section, as in effect. Immutable. */
public abstract class SectionValues {
  private final SettingTable table;
  private final Map<String, Object> values;

  /**
   * Keeps the values of the table's keys.
   *
   * @param values by key; a key of the table that is missing here has no effect
   */
  protected SectionValues(SettingTable table, Map<String, ?> values) {
    this.table = table;
    this.values = new LinkedHashMap<>();
    for (Setting<?> setting : table.all()) {
      Object value = values.get(setting.key());
      if (value != null) {
        this.values.put(setting.key(), value);
      }
    }
  }

  /** Takes the values of the table's keys from a section that has more keys. */
  protected SectionValues(SettingTable table, SectionValues wider) {
    this(table, wider.values);
  }

  /** Returns the value, or else the default, of a key that always has one of them. */
  public final <T> T get(Setting<T> setting) {
    T value = orNull(setting);
    return value == null ? Objects.requireNonNull(setting.byDefault(), setting.key()) : value;
  }

  /** Returns the value; null if the key has no effect, or is not set and has no default. */
  public final <T> @Nullable T orNull(Setting<T> setting) {
    return setting.type().cast(values.get(setting.key()));
  }

  /** Returns the section's name in the file. */
  public String section() {
    return table.section();
  }

  /** Returns the keys that have a value, in the order of the table. */
  public final List<Setting<?>> settings() {
    return table.all().stream().filter(each -> values.containsKey(each.key())).toList();
  }

  /** Returns the values in effect after a reload that read {@code fresh}. */
  protected final Map<String, Object> reloaded(SectionValues fresh) {
    Map<String, Object> after = new HashMap<>(values);
    for (Setting<?> setting : table.all()) {
      List<Setting<?>> same = setting.scope().reloadedWhile();
      if (same != null && same.stream().allMatch(each -> isSame(each, fresh))) {
        after.remove(setting.key());
        Object value = fresh.values.get(setting.key());
        if (value != null) {
          after.put(setting.key(), value);
        }
      }
    }
    return after;
  }

  private boolean isSame(Setting<?> setting, SectionValues other) {
    return Objects.equals(values.get(setting.key()), other.values.get(setting.key()));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof SectionValues that
        && section().equals(that.section())
        && values.equals(that.values);
  }

  @Override
  public int hashCode() {
    return values.hashCode();
  }

  /** Returns the section with its values; secrets are masked. */
  @Override
  public String toString() {
    return section() + values.values();
  }
}
