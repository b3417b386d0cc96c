package dev.recorder.app.config;

import dev.recorder.app.config.connection.DatabaseConfig;
import dev.recorder.app.config.connection.RedisConfig;
import dev.recorder.app.config.host.HttpConfig;
import dev.recorder.app.config.host.LogConfig;
import dev.recorder.app.config.host.MachineConfig;
import dev.recorder.app.config.host.MetricsConfig;
import dev.recorder.app.config.host.TimingConfig;
import dev.recorder.app.config.ini.Finding;
import dev.recorder.app.config.recorder.RecorderSection;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A checked configuration file. Immutable.
 *
 * @param redis null if the file has no section {@code [redis]}
 * @param http null if this host opens no port
 * @param recorders in the order of the file; at least one, unless faulty sections were left out
 * @param warnings for the log file; they do not prevent a start
 */
public record RecorderConfig(
    MachineConfig machine,
    DatabaseConfig database,
    TimingConfig timing,
    @Nullable RedisConfig redis,
    @Nullable HttpConfig http,
    MetricsConfig metrics,
    LogConfig log,
    List<RecorderSection> recorders,
    Path sourceFile,
    List<Finding> warnings) {

  public RecorderConfig {
    recorders = List.copyOf(recorders);
    warnings = List.copyOf(warnings);
    if (recorders.stream().map(RecorderSection::lockId).distinct().count() < recorders.size()) {
      throw new IllegalArgumentException("two recorders have one lockid");
    }
    if (recorders.stream().map(RecorderSection::name).distinct().count() < recorders.size()) {
      throw new IllegalArgumentException("two recorders have one name");
    }
  }

  public Optional<RecorderSection> recorder(String name) {
    return recorders.stream().filter(recorder -> recorder.name().equals(name)).findFirst();
  }

  /**
   * Returns a hash that is equal on all hosts with the same shared settings: all settings in effect
   * except the passwords and the keys that may differ, such as the host's name and {@code primary}.
   *
   * @return the first 16 hexadecimal digits of a SHA-256
   */
  public String configHash() {
    return EffectiveConfig.of(this).sharedHash();
  }

  /**
   * Returns a hash like {@link #configHash()} for each section that hosts share, by the section's
   * name.
   */
  public Map<String, String> sectionHashes() {
    return EffectiveConfig.of(this).sectionHashes();
  }

  /** Returns the settings that differ in {@code fresh}, a line each. */
  public List<String> changesTo(RecorderConfig fresh) {
    Map<String, String> before = EffectiveConfig.of(this).values();
    Map<String, String> after = EffectiveConfig.of(fresh).values();
    Set<String> keys = new LinkedHashSet<>(before.keySet());
    keys.addAll(after.keySet());
    return keys.stream()
        .filter(key -> !Objects.equals(before.get(key), after.get(key)))
        .map(
            key ->
                "%s = %s, it was %s"
                    .formatted(
                        key,
                        after.getOrDefault(key, "nothing"),
                        before.getOrDefault(key, "nothing")))
        .toList();
  }

  /** Returns the settings in effect, including defaults, as an INI file with masked passwords. */
  public String effective() {
    return EffectiveConfig.of(this).toString();
  }
}
