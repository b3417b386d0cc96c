package dev.recorder.app.config;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One key, declared once: the reader, the records' own checks, the rendering and the table in
 * docs/configuration.md all use it.
 *
 * @param byDefault null when there is none
 * @param explanation for the table
 */
record Setting<T>(
    String key,
    Class<T> type,
    @Nullable T byDefault,
    Rule<T> rule,
    SettingExplanation explanation) {

  private static final Map<Class<?>, String> NOUNS =
      Map.of(
          Duration.class, "a duration",
          ByteSize.class, "a size",
          History.class, "a duration",
          LingerSetting.class, "a duration",
          Integer.class, "a whole number",
          Path.class, "a path",
          Boolean.class, "a boolean",
          CaptureTables.class, "a list of tables",
          URI.class, "an address");

  /**
   * What the page says of a key in Markdown.
   *
   * @param unset in the column of defaults, of a key that has none
   * @param values in the column of values, unless limits or words say it
   */
  record SettingExplanation(String unset, String values, String meaning) {
    static final SettingExplanation NONE = new SettingExplanation("none", "", "");
  }

  Setting(String key, Class<T> type, @Nullable T byDefault, Rule<T> rule) {
    this(key, type, byDefault, rule, SettingExplanation.NONE);
  }

  /** The same key of which the page says this. */
  Setting<T> means(String meaning) {
    return explained(new SettingExplanation(explanation.unset, explanation.values, meaning));
  }

  /** Whose values are described by these words. */
  Setting<T> takes(String values) {
    return explained(new SettingExplanation(explanation.unset, values, explanation.meaning));
  }

  /** What happens without the key, which has no default. */
  Setting<T> otherwise(String unset) {
    return explained(new SettingExplanation(unset, explanation.values, explanation.meaning));
  }

  private Setting<T> explained(SettingExplanation said) {
    return new Setting<>(key, type, byDefault, rule, said);
  }

  static Setting<Duration> duration(String key, String byDefault, String least, String greatest) {
    Rule<Duration> rule = durations(byDefault, least, greatest);
    return new Setting<>(key, Duration.class, DurationText.parse(byDefault), rule);
  }

  /** A duration without a default. */
  static Setting<Duration> durationIfAny(
      String key, String example, String least, String greatest) {
    return new Setting<>(key, Duration.class, null, durations(example, least, greatest));
  }

  private static Rule<Duration> durations(String example, String least, String greatest) {
    return new Rule.Between<>(
        DurationText.parse(least),
        DurationText.parse(greatest),
        "a duration from %s to %s, such as %s".formatted(least, greatest, example));
  }

  static Setting<ByteSize> size(String key, String byDefault, String least, String greatest) {
    return new Setting<>(
        key,
        ByteSize.class,
        ByteSize.parse(byDefault),
        new Rule.Between<>(
            ByteSize.parse(least),
            ByteSize.parse(greatest),
            "a size from %s to %s, such as %s".formatted(least, greatest, byDefault)));
  }

  static Setting<Integer> number(String key, int byDefault, int least, int greatest) {
    return new Setting<>(
        key,
        Integer.class,
        byDefault,
        new Rule.Between<>(
            least, greatest, "a whole number from %d to %d".formatted(least, greatest)));
  }

  static Setting<Path> path(String key, String allowed) {
    return new Setting<>(key, Path.class, null, new Rule.Any<>(allowed)).takes("a path");
  }

  static Setting<Boolean> flag(String key) {
    return new Setting<>(key, Boolean.class, null, new Rule.Any<>("true or false"));
  }

  static <E extends Enum<E> & ConfigWord> Setting<E> word(String key, E byDefault) {
    Class<E> type = byDefault.getDeclaringClass();
    String words =
        Arrays.stream(type.getEnumConstants())
            .map(ConfigWord::word)
            .collect(Collectors.joining(", "));
    return new Setting<>(key, type, byDefault, new Rule.Any<>("one of " + words));
  }

  /**
   * @param fault stands behind "{@code key = value}" in a finding
   * @param allowed stands behind "write" in its help
   */
  static Setting<String> text(
      String key, @Nullable String byDefault, String form, String fault, String allowed) {
    Rule<String> rule = new Rule.Matching(Pattern.compile(form), fault, allowed);
    return new Setting<>(key, String.class, byDefault, rule);
  }

  /** What a value of the type is called in a finding. */
  String noun() {
    return type.isEnum() ? rule.allowed() : NOUNS.getOrDefault(type, "text");
  }

  /** For the records: a value that no reader would have let through is a fault of the program. */
  void require(T value) {
    String fault = rule.fault(value);
    if (fault != null) {
      throw new IllegalArgumentException("%s = %s %s".formatted(key, write(value), fault));
    }
  }

  /** The value as it is written in the file, except quotes. */
  static String write(Object value) {
    if (value instanceof Duration duration) {
      return DurationText.format(duration);
    }
    return value instanceof ConfigWord word ? word.word() : value.toString();
  }
}
