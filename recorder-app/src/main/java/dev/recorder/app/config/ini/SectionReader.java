package dev.recorder.app.config.ini;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.commons.configuration2.HierarchicalConfiguration;
import org.apache.commons.configuration2.ex.ConversionException;
import org.jspecify.annotations.Nullable;

/**
 * Reads the settings of one section, and reports faults on their lines. Each value is read once,
 * and may be replaced by a derived value. Not thread-safe.
 */
public final class SectionReader {
  private final IniSection section;
  private final HierarchicalConfiguration<?> values;
  private final Findings findings;
  private final Map<String, Object> inEffect = new HashMap<>();
  private final Set<String> seen = new HashSet<>();

  public SectionReader(IniDocument document, IniView view, String name, Findings findings) {
    this.section = document.section(name);
    this.values = view.section(name);
    this.findings = findings;
  }

  /** Reads all keys of a table, and reports unknown keys in the section as errors. */
  public void read(SettingTable table) {
    for (Setting<?> setting : table.own()) {
      readOne(setting);
    }
    reportUnknownKeys(table);
  }

  private <T> void readOne(Setting<T> setting) {
    T value = setting.scope().required() ? required(setting) : optional(setting);
    set(setting, value == null ? setting.byDefault() : value);
  }

  /** Sets the value in effect, whatever the file has. Null means that the key has no value. */
  public <T> void set(Setting<T> setting, @Nullable T value) {
    seen.add(setting.key());
    if (value == null) {
      inEffect.remove(setting.key());
    } else {
      inEffect.put(setting.key(), value);
    }
  }

  /** Returns the values in effect, by key. */
  public Map<String, Object> inEffect() {
    return Map.copyOf(inEffect);
  }

  /** Returns the value, or the default if there is no usable value. */
  public <T> T value(Setting<T> setting) {
    T value = optional(setting);
    return value == null ? byDefault(setting) : value;
  }

  public <T> T byDefault(Setting<T> setting) {
    return Objects.requireNonNull(setting.byDefault(), setting.key());
  }

  /** Returns the value, or null if it is missing or unusable. Reports both cases. */
  public <T> @Nullable T required(Setting<T> setting) {
    if (!has(setting)) {
      missing(setting);
    }
    return optional(setting);
  }

  /** Returns the value, or null if it is missing or unusable. Reports an unusable value. */
  public <T> @Nullable T optional(Setting<T> setting) {
    if (seen.add(setting.key())) {
      set(setting, written(setting));
    }
    return setting.type().cast(inEffect.get(setting.key()));
  }

  private <T> @Nullable T written(Setting<T> setting) {
    if (!values.containsKey(setting.key())) {
      return null;
    }
    String written = Objects.requireNonNull(values.getString(setting.key()));
    try {
      T value = values.get(setting.type(), setting.key());
      String fault = setting.rule().fault(value);
      if (fault == null) {
        return value;
      }
      refuse(setting, written, fault);
    } catch (ConversionException wrongType) {
      refuse(setting, written, "is not " + setting.noun());
    }
    return null;
  }

  public boolean has(Setting<?> setting) {
    return section.entry(setting.key()).isPresent();
  }

  /** Whether the file has an unusable value for the key, which is reported already. */
  public boolean refused(Setting<?> setting) {
    return has(setting) && written(setting) == null;
  }

  /** Returns the line of the key, or of the section's header if the key is missing. */
  public int line(Setting<?> setting) {
    return section.entry(setting.key()).map(IniEntry::line).orElse(section.line());
  }

  /** Returns the line of the header. */
  public int line() {
    return section.line();
  }

  public String name() {
    return section.writtenAs();
  }

  private void missing(Setting<?> setting) {
    findings.error(
        section.line(),
        "[%s] has no %s".formatted(section.writtenAs(), setting.key()),
        "write %s = %s".formatted(setting.key(), setting.rule().allowed()));
  }

  /** Reports an error of the section as a whole. */
  public void error(String what, String help) {
    findings.error(section.line(), what, help);
  }

  public void error(Setting<?> setting, String what, String help) {
    findings.error(line(setting), what, help);
  }

  public void warning(Setting<?> setting, String what, String help) {
    findings.warning(line(setting), what, help);
  }

  private void reportUnknownKeys(SettingTable table) {
    Collection<String> known =
        table.all().stream().map(Setting::key).collect(Collectors.toCollection(TreeSet::new));
    for (IniEntry entry : section.entries().values()) {
      if (!known.contains(entry.key())) {
        findings.error(
            entry.line(),
            "unknown key %s in [%s]"
                .formatted(RedactedEntry.key(entry.key(), entry.value()), section.writtenAs()),
            DidYouMean.among(known, entry.key())
                .map(name -> "did you mean " + name + "?")
                .orElse("the keys here are " + String.join(", ", known)));
      }
    }
  }

  private void refuse(Setting<?> setting, String written, String fault) {
    String key = setting.key();
    String what =
        written.isEmpty()
            ? key + " has no value"
            : "%s = %s %s".formatted(key, RedactedEntry.value(setting, written), fault);
    findings.error(line(setting), what, "write " + setting.rule().allowed());
  }
}
