package dev.recorder.app.config;

import dev.recorder.app.config.ini.IniValue;
import dev.recorder.app.config.ini.SectionValues;
import dev.recorder.app.config.ini.Setting;
import dev.recorder.app.config.recorder.CaptureSection;
import dev.recorder.capture.CaptureOptions;
import dev.recorder.leadership.postgres.SectionHash;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The settings in effect as lines, for the log file and for the hashes that hosts compare. */
final class EffectiveConfig {
  private static final int HASH_CHARACTERS = 16;

  /**
   * Short, since the hash only serves to name keys that differ. If two values have the same hash,
   * the key is not named.
   */
  private static final int KEY_HASH_CHARACTERS = 4;

  private final List<Line> lines = new ArrayList<>();

  private EffectiveConfig() {}

  private record Line(String section, Setting<?> setting, String value) {
    boolean isDefault() {
      Object byDefault = setting.byDefault();
      return byDefault != null && Setting.write(byDefault).equals(value);
    }

    @Override
    public String toString() {
      return setting.key() + " = " + IniValue.format(value);
    }
  }

  static EffectiveConfig of(RecorderConfig config) {
    EffectiveConfig effective = new EffectiveConfig();
    effective.add(config.machine());
    effective.add(config.database());
    effective.add(config.timing());
    if (config.redis() != null) {
      effective.add(config.redis());
    }
    if (config.http() != null) {
      effective.add(config.http());
    }
    effective.add(config.metrics());
    effective.add(config.log());
    config.recorders().forEach(effective::add);
    config.recorders().forEach(recorder -> recorder.captures().forEach(effective::capture));
    return effective;
  }

  /** Returns the hash of all settings that hosts share. */
  String sharedHash() {
    return hash(shared());
  }

  /**
   * Returns a hash of each section, with a short hash of each key that does not have its default.
   */
  Map<String, String> sectionHashes() {
    return shared()
        .collect(
            Collectors.groupingBy(
                Line::section,
                TreeMap::new,
                Collectors.collectingAndThen(
                    Collectors.toList(), section -> sectionHash(section).toString())));
  }

  private static SectionHash sectionHash(List<Line> section) {
    SortedMap<String, String> keys = new TreeMap<>();
    section.stream()
        .filter(line -> !line.isDefault())
        .forEach(
            line ->
                keys.put(
                    line.setting().key(), hash(Stream.of(line)).substring(0, KEY_HASH_CHARACTERS)));
    return new SectionHash(hash(section.stream()), keys);
  }

  /** Returns the values by {@code [section] key}. */
  Map<String, String> values() {
    Map<String, String> values = new LinkedHashMap<>();
    lines.forEach(
        line -> values.put("[" + line.section() + "] " + line.setting().key(), line.value()));
    return values;
  }

  private Stream<Line> shared() {
    return lines.stream().filter(line -> line.setting().isCompared());
  }

  /** Sorts the lines, since the order of sections in the file has no meaning. */
  private static String hash(Stream<Line> hashed) {
    String shared =
        hashed
            .map(line -> "[" + line.section() + "] " + line + "\n")
            .sorted()
            .collect(Collectors.joining());
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      byte[] hash = digest.digest(shared.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash).substring(0, HASH_CHARACTERS);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java platform has SHA-256", impossible);
    }
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    String section = "";
    for (Line line : lines) {
      if (!line.section().equals(section)) {
        section = line.section();
        text.append('[').append(section).append("]\n");
      }
      text.append(line).append('\n');
    }
    return text.toString();
  }

  /** Adds the section, unless the table is captured with the usual options. */
  private void capture(CaptureSection capture) {
    if (!capture.options().equals(CaptureOptions.USUAL)) {
      add(capture);
    }
  }

  private void add(SectionValues section) {
    for (Setting<?> setting : section.settings()) {
      lines.add(new Line(section.section(), setting, Setting.write(section.get(setting))));
    }
  }
}
