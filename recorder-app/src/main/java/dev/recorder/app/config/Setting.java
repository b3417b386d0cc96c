package dev.recorder.app.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One key, declared once: the reader, the records' own checks and the rendering all use it.
 *
 * @param noun what a value of the type is called in a finding
 * @param byDefault null when there is none
 */
record Setting<T>(String key, Class<T> type, String noun, @Nullable T byDefault, Rule<T> rule) {

  static Setting<Duration> duration(String key, String byDefault, String least, String greatest) {
    return new Setting<>(
        key,
        Duration.class,
        "a duration",
        DurationText.parse(byDefault),
        durations(byDefault, least, greatest));
  }

  /** A duration without a default. */
  static Setting<Duration> durationIfAny(
      String key, String example, String least, String greatest) {
    return new Setting<>(
        key, Duration.class, "a duration", null, durations(example, least, greatest));
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
        "a size",
        ByteSize.parse(byDefault),
        new Rule.Between<>(
            ByteSize.parse(least),
            ByteSize.parse(greatest),
            "a size from %s to %s, such as %s".formatted(least, greatest, byDefault)));
  }

  static Setting<Integer> number(String key, @Nullable Integer byDefault, int least, int greatest) {
    return new Setting<>(
        key,
        Integer.class,
        "a whole number",
        byDefault,
        new Rule.Between<>(
            least, greatest, "a whole number from %d to %d".formatted(least, greatest)));
  }

  static Setting<Path> path(String key, String allowed) {
    return new Setting<>(key, Path.class, "a path", null, new Rule.Any<>(allowed));
  }

  static Setting<Boolean> flag(String key) {
    return new Setting<>(key, Boolean.class, "a boolean", null, new Rule.Any<>("true or false"));
  }

  static <E extends Enum<E> & ConfigWord> Setting<E> word(String key, E byDefault) {
    Class<E> type = byDefault.getDeclaringClass();
    String words =
        Arrays.stream(type.getEnumConstants())
            .map(ConfigWord::word)
            .collect(Collectors.joining(", "));
    return new Setting<>(
        key, type, "one of " + words, byDefault, new Rule.Any<>("one of " + words));
  }

  /**
   * @param fault stands behind "{@code key = value}" in a finding
   * @param allowed stands behind "write" in its help
   */
  static Setting<String> text(
      String key, @Nullable String byDefault, String form, String fault, String allowed) {
    Rule<String> rule = new Rule.Matching(Pattern.compile(form), fault, allowed);
    return new Setting<>(key, String.class, "text", byDefault, rule);
  }

  /** For the records: a value that no reader would have let through is a fault of the program. */
  void require(T value) {
    String fault = rule.fault(value);
    if (fault != null) {
      throw new IllegalArgumentException("%s = %s %s".formatted(key, write(value), fault));
    }
  }

  /** The value as it is written in the file, but for quotes. */
  static String write(Object value) {
    if (value instanceof Duration duration) {
      return DurationText.format(duration);
    }
    return value instanceof ConfigWord word ? word.word() : value.toString();
  }
}
