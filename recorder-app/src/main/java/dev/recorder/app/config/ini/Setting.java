package dev.recorder.app.config.ini;

import dev.recorder.app.config.value.ByteSize;
import dev.recorder.app.config.value.CaptureTables;
import dev.recorder.app.config.value.ConfigWord;
import dev.recorder.app.config.value.DurationText;
import dev.recorder.app.config.value.History;
import dev.recorder.app.config.value.LingerSetting;
import dev.recorder.app.config.value.RecorderKindWord;
import dev.recorder.app.config.value.Rule;
import dev.recorder.app.config.value.Secret;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One key, declared once, in the {@link SettingTable} of its section. What reads, shows, compares,
 * reloads and describes it is made of that.
 *
 * @param byDefault null when there is none
 * @param explanation for the page
 */
public record Setting<T>(
    String key,
    Class<T> type,
    @Nullable T byDefault,
    Rule<T> rule,
    SettingExplanation explanation,
    SettingScope scope) {

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
  public record SettingExplanation(String unset, String values, String meaning) {
    static final SettingExplanation NONE = new SettingExplanation("none", "", "");
  }

  /**
   * For whom the key is, and when another value takes effect.
   *
   * @param required whether each file must have it, if it has the section
   * @param only the kind of recorders that it is for; null: for both
   * @param mayDiffer whether hosts may have other values than each other
   * @param reloadedWhile a reload applies it while these keys stay what they are; null: a restart
   */
  public record SettingScope(
      boolean required,
      @Nullable RecorderKindWord only,
      boolean mayDiffer,
      @Nullable List<Setting<?>> reloadedWhile) {
    static final SettingScope USUAL = new SettingScope(false, null, false, null);
  }

  public Setting(String key, Class<T> type, @Nullable T byDefault, Rule<T> rule) {
    this(key, type, byDefault, rule, SettingExplanation.NONE, SettingScope.USUAL);
  }

  public Setting<T> required() {
    return scoped(new SettingScope(true, scope.only, scope.mayDiffer, scope.reloadedWhile))
        .otherwise("required");
  }

  /** For recorders of this kind; in the file of another it has no effect. */
  public Setting<T> only(RecorderKindWord kind) {
    return scoped(new SettingScope(scope.required, kind, scope.mayDiffer, scope.reloadedWhile));
  }

  public Setting<T> mayDiffer() {
    return scoped(new SettingScope(scope.required, scope.only, true, scope.reloadedWhile));
  }

  /** Applied by a reload, unless it would change one of these, too. */
  public Setting<T> reloadedWhile(Setting<?>... same) {
    return scoped(new SettingScope(scope.required, scope.only, scope.mayDiffer, List.of(same)));
  }

  private Setting<T> scoped(SettingScope other) {
    return new Setting<>(key, type, byDefault, rule, explanation, other);
  }

  /** Whether hosts tell each other that they differ; a secret could be guessed from its hash. */
  public boolean isCompared() {
    return !scope.mayDiffer && type != Secret.class;
  }

  /** The same key of which the page says this. */
  public Setting<T> means(String meaning) {
    return explained(new SettingExplanation(explanation.unset, explanation.values, meaning));
  }

  /** Whose values are described by these words. */
  public Setting<T> takes(String values) {
    return explained(new SettingExplanation(explanation.unset, values, explanation.meaning));
  }

  /** What happens without the key, which has no default. */
  public Setting<T> otherwise(String unset) {
    return explained(new SettingExplanation(unset, explanation.values, explanation.meaning));
  }

  private Setting<T> explained(SettingExplanation said) {
    return new Setting<>(key, type, byDefault, rule, said, scope);
  }

  public static Setting<Duration> duration(
      String key, String byDefault, String least, String greatest) {
    Rule<Duration> rule = durations(byDefault, least, greatest);
    return new Setting<>(key, Duration.class, DurationText.parse(byDefault), rule);
  }

  /** With a default that the library has, too. */
  public static Setting<Duration> duration(
      String key, Duration byDefault, String least, String greatest) {
    return duration(key, DurationText.format(byDefault), least, greatest);
  }

  /** A duration without a default. */
  public static Setting<Duration> durationIfAny(
      String key, String example, String least, String greatest) {
    return new Setting<>(key, Duration.class, null, durations(example, least, greatest));
  }

  private static Rule<Duration> durations(String example, String least, String greatest) {
    return new Rule.Between<>(
        DurationText.parse(least),
        DurationText.parse(greatest),
        "a duration from %s to %s, such as %s".formatted(least, greatest, example));
  }

  public static Setting<ByteSize> size(String key, long byDefault, String least, String greatest) {
    ByteSize usual = new ByteSize(byDefault);
    return new Setting<>(
        key,
        ByteSize.class,
        usual,
        new Rule.Between<>(
            ByteSize.parse(least),
            ByteSize.parse(greatest),
            "a size from %s to %s, such as %s".formatted(least, greatest, usual)));
  }

  public static Setting<Integer> number(String key, int byDefault, int least, int greatest) {
    return new Setting<>(
        key,
        Integer.class,
        byDefault,
        new Rule.Between<>(
            least, greatest, "a whole number from %d to %d".formatted(least, greatest)));
  }

  public static Setting<Path> path(String key, String allowed) {
    return new Setting<>(key, Path.class, null, new Rule.Any<>(allowed)).takes("a path");
  }

  public static Setting<Boolean> flag(String key, @Nullable Boolean byDefault) {
    return new Setting<>(key, Boolean.class, byDefault, new Rule.Any<>("true or false"));
  }

  public static <E extends Enum<E> & ConfigWord> Setting<E> word(String key, E byDefault) {
    Class<E> type = byDefault.getDeclaringClass();
    String words =
        Arrays.stream(type.getEnumConstants())
            .map(ConfigWord::word)
            .collect(Collectors.joining(", "));
    return new Setting<>(key, type, byDefault, new Rule.Any<>("one of " + words));
  }

  /**
   * A text of a form.
   *
   * @param fault stands behind "{@code key = value}" in a finding
   * @param allowed stands behind "write" in its help
   */
  public static Setting<String> text(
      String key, @Nullable String byDefault, String form, String fault, String allowed) {
    Rule<String> rule = new Rule.Matching(Pattern.compile(form), fault, allowed);
    return new Setting<>(key, String.class, byDefault, rule);
  }

  /** What a value of the type is called in a finding. */
  public String noun() {
    return type.isEnum() ? rule.allowed() : NOUNS.getOrDefault(type, "text");
  }

  /** The value as it is written in the file, except quotes. */
  public static String write(Object value) {
    if (value instanceof Duration duration) {
      return DurationText.format(duration);
    }
    return value instanceof ConfigWord word ? word.word() : value.toString();
  }
}
