package dev.recorder.app.config.ini;

import dev.recorder.app.config.value.ByteSize;
import dev.recorder.app.config.value.CaptureTables;
import dev.recorder.app.config.value.DurationText;
import dev.recorder.app.config.value.History;
import dev.recorder.app.config.value.LingerSetting;
import dev.recorder.app.config.value.ObjectTags;
import dev.recorder.app.config.value.Rule;
import dev.recorder.app.config.value.Secret;
import dev.recorder.handoff.RecorderKind;
import dev.recorder.table.TableColumns;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Declares a key of a section, in the section's {@link SettingTable}. The code that reads, shows,
 * compares, reloads and documents the key uses this declaration.
 *
 * @param byDefault null if there is none
 * @param explanation for the documentation
 */
public record Setting<T>(
    String key,
    Class<T> type,
    @Nullable T byDefault,
    Rule<T> rule,
    SettingExplanation explanation,
    SettingScope scope) {

  private static final Map<Class<?>, String> NOUNS =
      Map.ofEntries(
          Map.entry(Duration.class, "a duration"),
          Map.entry(ByteSize.class, "a size"),
          Map.entry(History.class, "a duration"),
          Map.entry(LingerSetting.class, "a duration"),
          Map.entry(Integer.class, "a whole number"),
          Map.entry(Path.class, "a path"),
          Map.entry(Boolean.class, "a boolean"),
          Map.entry(CaptureTables.class, "a list of tables"),
          Map.entry(ObjectTags.class, "a list of tags"),
          Map.entry(TableColumns.class, "a list of columns"),
          Map.entry(URI.class, "an address"));

  /**
   * The documentation of a key, in Markdown.
   *
   * @param unset the text in the column of defaults, for a key without a default
   * @param values the text in the column of values, unless limits or words give it
   */
  public record SettingExplanation(String unset, String values, String meaning) {
    static final SettingExplanation NONE = new SettingExplanation("none", "", "");
  }

  /**
   * Where a key applies, and when a change takes effect.
   *
   * @param required whether a section must have the key
   * @param only the kind of recorders that the key is for; null for both
   * @param mayDiffer whether hosts may have different values
   * @param reloadedWhile a reload applies the key if these keys do not change; null if the key
   *     needs a restart
   */
  public record SettingScope(
      boolean required,
      @Nullable RecorderKind only,
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

  /** Limits the key to recorders of this kind. It has no effect on others. */
  public Setting<T> only(RecorderKind kind) {
    return scoped(new SettingScope(scope.required, kind, scope.mayDiffer, scope.reloadedWhile));
  }

  public Setting<T> mayDiffer() {
    return scoped(new SettingScope(scope.required, scope.only, true, scope.reloadedWhile));
  }

  /** Lets a reload apply the key, unless one of {@code same} changes too. */
  public Setting<T> reloadedWhile(Setting<?>... same) {
    return scoped(new SettingScope(scope.required, scope.only, scope.mayDiffer, List.of(same)));
  }

  private Setting<T> scoped(SettingScope other) {
    return new Setting<>(key, type, byDefault, rule, explanation, other);
  }

  /**
   * Whether hosts compare hashes of the value. Secrets are not compared, since a secret could be
   * guessed from its hash.
   */
  public boolean isCompared() {
    return !scope.mayDiffer && type != Secret.class;
  }

  public Setting<T> means(String meaning) {
    return explained(new SettingExplanation(explanation.unset, explanation.values, meaning));
  }

  /** Describes the allowed values, for the documentation. */
  public Setting<T> takes(String values) {
    return explained(new SettingExplanation(explanation.unset, values, explanation.meaning));
  }

  /** Describes in words what applies without the key, for a key without a default. */
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

  /** Declares a duration with a default of the library. */
  public static Setting<Duration> duration(
      String key, Duration byDefault, String least, String greatest) {
    return duration(key, DurationText.format(byDefault), least, greatest);
  }

  /** Declares a duration without a default. */
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

  public static <E extends Enum<E>> Setting<E> word(String key, E byDefault) {
    Class<E> type = byDefault.getDeclaringClass();
    return new Setting<>(key, type, byDefault, words(type));
  }

  /** Declares a word without a default. */
  public static <E extends Enum<E>> Setting<E> wordIfAny(String key, Class<E> type) {
    return new Setting<>(key, type, null, words(type));
  }

  private static <E extends Enum<E>> Rule<E> words(Class<E> type) {
    String words =
        Arrays.stream(type.getEnumConstants())
            .map(Setting::write)
            .collect(Collectors.joining(", "));
    return new Rule.Any<>("one of " + words);
  }

  /**
   * Declares a text that must match the pattern {@code form}.
   *
   * @param fault follows "{@code key = value}" in a finding
   * @param allowed follows "write" in the help of the finding
   */
  public static Setting<String> text(
      String key, @Nullable String byDefault, String form, String fault, String allowed) {
    Rule<String> rule = new Rule.Matching(Pattern.compile(form), fault, allowed);
    return new Setting<>(key, String.class, byDefault, rule);
  }

  /** Returns the type of the value in words, for findings. */
  public String noun() {
    return type.isEnum() ? rule.allowed() : NOUNS.getOrDefault(type, "text");
  }

  /** Writes a value as in the file, without quotes. */
  public static String write(Object value) {
    if (value instanceof Duration duration) {
      return DurationText.format(duration);
    }
    String text = value.toString();
    return value instanceof Enum<?> ? text.toLowerCase(Locale.ROOT) : text;
  }
}
