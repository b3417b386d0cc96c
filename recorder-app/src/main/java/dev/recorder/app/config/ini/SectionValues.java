package dev.recorder.app.config.ini;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The checked values in effect of one section. Immutable. */
public abstract class SectionValues {
  private final SettingTable table;
  private final Map<String, Object> values;

  /**
   * Takes the values that the table has.
   *
   * @param values by key; a key of the table that is missing has no effect
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

  /** Takes the keys of the table from a section that has more. */
  protected SectionValues(SettingTable table, SectionValues wider) {
    this(table, wider.values);
  }

  /** The value of a key that always has one. */
  public final <T> T get(Setting<T> setting) {
    T value = orNull(setting);
    return value == null ? Objects.requireNonNull(setting.byDefault(), setting.key()) : value;
  }

  /** The value; null if the key has no effect, or is not set and has no default. */
  public final <T> @Nullable T orNull(Setting<T> setting) {
    return setting.type().cast(values.get(setting.key()));
  }

  /** The section's name in the file. */
  public String section() {
    return table.section();
  }

  /** The keys that have a value, in the order of the table. */
  public final List<Setting<?>> settings() {
    return table.all().stream().filter(each -> values.containsKey(each.key())).toList();
  }

  /** The values after a reload of {@code fresh}. */
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

  /** Secrets are masked. */
  @Override
  public String toString() {
    return section() + values.values();
  }
}
